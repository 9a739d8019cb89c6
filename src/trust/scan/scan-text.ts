import type { Finding, Span } from '../../domain/finding.ts'
import { once } from '../../domain/once.ts'
import type { CardText } from './card-texts.ts'
import { sentenceAt, sentenceBounds } from './cut-sentences.ts'
import { excerptOfStart } from './excerpt.ts'
import { heeded, isShortEnough, readText, type TextToRead, type ToneAt } from './read-text.ts'
import type { Hit, Rule } from './rule.ts'
import { embeddedSecrets } from './rules/embedded-secrets.ts'
import { encodedPayloads } from './rules/encoded-payloads.ts'
import { fakesRoles } from './rules/fakes-roles.ts'
import { hiddenCharacters } from './rules/hidden-characters.ts'
import { carriesDataAway, unseenStretches } from './rules/hidden-markup.ts'
import { runsCommands } from './rules/runs-commands.ts'
import { isPhraseWord, type PhraseReading, type Said } from './scan-phrases.ts'
import { undisguise } from './disguises.ts'
import { plainText, readableText } from './text/plain-text.ts'
import { wordsOf } from './text/words.ts'

/** Texts are looked through to this length, in UTF-16 units; what follows is reported as not looked at. */
const longestText = 2_000_000

/** Nothing can be asked for in fewer characters of ASCII. */
const shortestText = 12
const shortestName = 16
const ascii = /^[\u0000-\u007f]*$/

/** Texts in which nothing was found: catalogs say the same of many parameters. */
const clean = new Set<string>()
const longestRemembered = 200
const mostRemembered = 50_000

function remember(key: string): void {
  if (clean.size >= mostRemembered) clean.clear()
  clean.add(key)
}

/**
 * What a tool gives is told in sentences without a subject ("Secret key of the webhook, sent once"), which the model of sentences takes for orders, and which
 * searches do not give out: the model alone holds no card for them.
 */
const isDoubted = ({ field }: CardText, { rule }: Pick<Finding, 'rule'>): boolean =>
  rule === 'suspicious-sentence' && /^outputSchema\b/.test(field)

/** All that is wrong with one text of a card. Linear in its length. */
export function scanText(text: CardText): readonly Finding[] {
  if (text.text.length > longestText) {
    return [
      ...scanText({ ...text, text: text.text.slice(0, longestText) }),
      {
        rule: 'too-long',
        severity: 'hard',
        field: text.field,
        excerpt: excerptOfStart(text.text),
        message: `is longer than ${longestText} characters; what follows was not looked at`,
      },
    ]
  }
  const found = (rule: string, hits: readonly Omit<Finding, 'rule' | 'field'>[]): Finding[] =>
    hits.map(({ severity, excerpt, message, spans }) => ({
      rule,
      severity,
      field: text.field,
      excerpt,
      message,
      ...(spans === undefined ? {} : { spans }),
    }))
  const least = text.register === 'name' ? shortestName : shortestText
  if (text.text.length < least && ascii.test(text.text)) return []
  const key = `${text.register} ${isShortEnough(text.text, text.cardLength)} ${text.text}`
  if (clean.has(key)) return []
  const { said, signals, toneAt } = readingOf(text)
  const findings = [
    ...rules.flatMap(({ name, inspect, heedsReading }) => {
      const hits = inspect(text, signals)
      return found(name, heedsReading === true ? hits.flatMap(heededAt(toneAt)) : hits)
    }),
    ...said.flatMap((phrase) =>
      found(phrase.rule, [isDoubted(text, phrase) ? { ...phrase, severity: 'soft' } : phrase]),
    ),
    ...found('encoded-payload', encodedPayloads(text)),
    ...found('hidden-markup', carriesDataAway(text)),
    ...found('hidden-markup', unseenSayings(text)),
  ]
  if (findings.length === 0 && key.length <= longestRemembered) remember(key)
  return findings
}

const heededAt =
  (toneAt: ToneAt) =>
  (hit: Hit): readonly Hit[] => {
    const severity = heeded(toneAt(hit.spans), hit.severity)
    return severity === undefined ? [] : [{ ...hit, severity }]
  }

/** Phrases said openly, and those said in disguise that are not said openly too. */
function readingOf({
  text,
  register,
  cardLength = 0,
}: TextToRead): PhraseReading & { readonly toneAt: ToneAt } {
  const plain = register === 'name' ? parted(readableText(text)) : readableText(text)
  const words = wordsOf(plain)
  const among = { register, cardLength: Math.max(cardLength, text.length) }
  const open = readText({ ...among, text: plain }, words)
  const { toText, toPlain } = alignment(text, plain)
  const openly = new Set(open.said.map(({ rule }) => rule))
  const disguised = undisguise(plain, words, { signals: open.signals, knows: isPhraseWord }).flatMap(
    ({ how, text: undone }) =>
      readText({ ...among, text: undone })
        .said.filter(({ rule }) => !openly.has(rule))
        .map((said): Said => ({ ...said, spans: [[0, text.length]], message: `${said.message} (${how})` })),
  )
  return {
    signals: open.signals,
    said: [...open.said.map((said) => ({ ...said, spans: said.spans!.map(toText) })), ...disguised],
    toneAt: (spans) => open.toneAt(spans?.map(toPlain)),
  }
}

/** Names run words together: `ignorePreviousInstructions`. */
const parted = (name: string): string => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')

/** Instructions where no reader sees them, whatever surrounds them. */
const unseenSayings = ({
  text,
  register,
  cardLength,
}: CardText): readonly Omit<Finding, 'rule' | 'field'>[] =>
  unseenStretches(text).flatMap(({ what, text: inner }) => {
    const among = Math.max(cardLength ?? 0, text.length)
    const worst = [...readingOf({ text: inner, register, cardLength: among }).said].sort((a, b) =>
      a.severity < b.severity ? -1 : 1,
    )[0]
    if (worst === undefined) return []
    return [
      {
        severity: register === 'prompt' || worst.rule === 'suspicious-sentence' ? worst.severity : 'hard',
        excerpt: excerptOfStart(inner),
        message: `holds ${what} that ${worst.message}`,
      },
    ]
  })

/** Rules that look at a text as it is published; a new one is a file and its line here. */
const rules: readonly Rule[] = [hiddenCharacters, fakesRoles, embeddedSecrets, runsCommands]

/** Moves stretches between a text and what is read of it: to whole sentences, or to all of it where those cannot be told. */
type Alignment = { toText(span: Span): Span; toPlain(span: Span): Span }

/** @param plain - `text` as `readableText` gives it */
function alignment(text: string, plain: string): Alignment {
  if (text === plain) return { toText: (span) => span, toPlain: (span) => span }
  const bounds = once(() => alignedBounds(text, plain))
  return {
    toText: (span) => moved(span, bounds().plain, bounds().text),
    toPlain: (span) => moved(span, bounds().text, bounds().plain),
  }
}

type Bounds = { readonly text: readonly number[]; readonly plain: readonly number[] }

/** Where sentences begin in both. Each is read by itself, which gives the same unless a mark joins two of them. */
function alignedBounds(text: string, plain: string): Bounds {
  const bounds = sentenceBounds(text)
  const read = bounds.slice(1).map((end, at) => plainText(text.slice(bounds[at], end)))
  const plainBounds = [0]
  for (const piece of read) plainBounds.push(plainBounds.at(-1)! + piece.length)
  const isExact = plainBounds.at(-1) === plain.length && read.join('') === plainText(text)
  return isExact ? { text: bounds, plain: plainBounds } : { text: [0, text.length], plain: [0, plain.length] }
}

function moved([start, end]: Span, from: readonly number[], to: readonly number[]): Span {
  const last = from.length - 2
  return [
    to[Math.min(last, sentenceAt(from, start))]!,
    to[Math.min(last, sentenceAt(from, Math.max(start, end - 1))) + 1]!,
  ]
}
