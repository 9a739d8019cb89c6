import type { Finding } from '../../domain/finding.ts'
import type { CardText } from './card-texts.ts'
import type { Signal } from './phrases/phrases.ts'

/** One idea of what a text of a card must not hold. */
export type Rule = {
  /** Kebab-case; findings name it. */
  readonly name: string
  /** Whether it flags at most, or not at all, where the sentences of the text read like documentation (see `read-text.ts`). */
  readonly heedsReading?: boolean
  /** Takes time linear in the text, whatever it holds, and never throws. */
  inspect(text: CardText, signals: ReadonlySet<Signal>): readonly Hit[]
}

/** What a rule found: a {@link Finding} without what the caller knows. */
export type Hit = Omit<Finding, 'rule' | 'field'>
