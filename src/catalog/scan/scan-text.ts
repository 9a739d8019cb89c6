import type { CardText } from './card-texts.ts'
import { cut } from './excerpt.ts'
import type { Finding } from './finding.ts'
import { encodedPayloads } from './rules/encoded-payloads.ts'
import { carriesDataAway, unseenStretches } from './rules/hidden-markup.ts'
import { rules } from './rules.ts'
import { isPhraseWord, phrasesIn, type Said } from './scan-phrases.ts'
import { undisguise } from './text/disguises.ts'
import { plainText } from './text/plain-text.ts'
import { wordsOf } from './text/words.ts'

/** Texts are looked through to this length, in UTF-16 units; what follows is reported as not looked at. */
const longestText = 2_000_000

/** All that is wrong with one text of a card. Linear in its length. */
export function scanText(text: CardText): readonly Finding[] {
  if (text.text.length > longestText) {
    return [
      ...scanText({ ...text, text: text.text.slice(0, longestText) }),
      {
        rule: 'too-long',
        severity: 'hard',
        field: text.field,
        excerpt: cut(text.text),
        message: `is longer than ${longestText} characters; what follows was not looked at`,
      },
    ]
  }
  const found = (rule: string, hits: readonly Omit<Finding, 'rule' | 'field'>[]): Finding[] =>
    hits.map(({ severity, excerpt, message }) => ({ rule, severity, field: text.field, excerpt, message }))
  const said = saidIn(text)
  return [
    ...rules.flatMap(({ name, inspect }) => found(name, inspect(text))),
    ...said.flatMap((phrase) => found(phrase.rule, [phrase])),
    ...found('encoded-payload', encodedPayloads(text)),
    ...found('hidden-markup', carriesDataAway(text)),
    ...found('hidden-markup', unseenSayings(text)),
  ]
}

/** Phrases said openly, and those said in disguise that are not said openly too. */
function saidIn({ text, register }: CardText): readonly Said[] {
  const plain = register === 'name' ? parted(plainText(text)) : plainText(text)
  const open = phrasesIn(plain, wordsOf(plain), register)
  const openly = new Set(open.map(({ rule }) => rule))
  const disguised = undisguise(plain, isPhraseWord).flatMap(({ how, text: undone }) =>
    phrasesIn(undone, wordsOf(undone), register)
      .filter(({ rule }) => !openly.has(rule))
      .map((said) => ({ ...said, message: `${said.message} (${how})` })),
  )
  return [...open, ...disguised]
}

/** Names run words together: `ignorePreviousInstructions`. */
const parted = (name: string): string => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')

/** Instructions where no reader sees them, whatever surrounds them. */
const unseenSayings = ({ text, register, field }: CardText): readonly Omit<Finding, 'rule' | 'field'>[] =>
  unseenStretches(text).flatMap(({ what, text: inner }) => {
    const worst = [...saidIn({ text: inner, register, field })].sort((a, b) =>
      a.severity < b.severity ? -1 : 1,
    )[0]
    if (worst === undefined) return []
    return [
      {
        severity: register === 'prompt' ? worst.severity : 'hard',
        excerpt: cut(inner),
        message: `holds ${what} that ${worst.message}`,
      },
    ]
  })
