import type { CardText } from './card-texts.ts'
import type { Finding } from './finding.ts'
import type { Signal } from './signals.ts'

/** One idea of what a text of a card must not hold. */
export type Rule = {
  /** Kebab-case; findings name it. */
  readonly name: string
  /** Takes time linear in the text, whatever it holds, and never throws. */
  inspect(text: CardText, signals: ReadonlySet<Signal>): readonly Hit[]
}

/** What a rule found: a {@link Finding} without what the caller knows. */
export type Hit = Omit<Finding, 'rule' | 'field'>
