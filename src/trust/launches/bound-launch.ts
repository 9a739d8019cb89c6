import { beginningOf, cut } from '../../domain/text/cut.ts'
import { countsOf } from '../../domain/grouped.ts'
import { createHash } from 'node:crypto'
import type { AgreedLaunch, AgreedLines } from '../../store/source-state.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'

/**
 * All that decides what a launch starts or reaches, to be compared with what a person agreed to: one that differs in anything is another
 * launch, whatever its name.
 */
export type BoundLaunch = {
  /** The file that says it, and the name it has there. */
  readonly place: string
  /** Of every part, those that people are not shown too. */
  readonly digest: string
  /** The parts for people, a line each, secrets masked. */
  readonly words: readonly string[]
  /** Texts that count as they are (instructions, scripts), by the names of their parts. Absent where there are none. */
  readonly texts?: { readonly [name: string]: string }
}

/** A part of a launch: its name, what of it counts, and how it is shown when that is not the same. */
export type LaunchPart = {
  readonly name: string
  readonly exact: string
  readonly shown?: string
  /** The part is this text: what is not the same in another one is shown by lines. */
  readonly text?: string
}

export const textPart = (name: string, text: string): LaunchPart => ({
  name,
  text,
  exact: digestOfText(text),
  shown: textInWords(text),
})

/** Which parts there are, and what counts of them: another version makes every launch another one. */
const version = 1

const digestLength = 32

export const boundLaunch = (place: string, parts: readonly LaunchPart[]): BoundLaunch => ({
  place,
  digest: createHash('sha256')
    .update(JSON.stringify([version, place, parts.map(({ name, exact }) => [name, exact])]))
    .digest('hex')
    .slice(0, digestLength),
  words: parts.map(({ name, exact, shown }) => {
    const text = shown ?? maskSecrets(exact)
    return text === '' ? name : `${name}: ${text}`
  }),
  ...textsOf(parts),
})

function textsOf(parts: readonly LaunchPart[]): Pick<BoundLaunch, 'texts'> {
  const texts = parts.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text] as const]))
  return texts.length === 0 ? {} : { texts: Object.fromEntries(texts) }
}

/** What is kept of a launch that is agreed to. */
export const agreedLaunch = ({ words, texts }: BoundLaunch): AgreedLaunch => ({
  words,
  ...(texts === undefined
    ? {}
    : { lines: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, linesToKeep(text)])) }),
})

/**
 * Variables of a launch, by name. A value counts as it is written, since any variable may say what is loaded or started. Of one whose
 * name says that it is a token or a key only the references to other variables count: a rotated token is the same launch, and another
 * secret of the user's handed over is another.
 */
export const variableParts = (variables: { readonly [name: string]: string }): readonly LaunchPart[] =>
  sorted(variables).map(([name, value]) => ({
    name: `variable ${name}`,
    ...(isKey(name) ? referencesOf(value) : { exact: value, shown: shortened(maskSecrets(value)) }),
  }))

/** Headers of a request, by name, with the variables that fill them in. */
export const headerParts = (headers: { readonly [name: string]: string }): readonly LaunchPart[] =>
  sorted(headers).map(([name, value]) => ({ name: `header ${name.toLowerCase()}`, ...referencesOf(value) }))

/** What is not the same in two launches, in words. */
export type LaunchDifference = { readonly was: readonly string[]; readonly now: readonly string[] }

/** What of a launch is not the same as in the one that was agreed to. Where all that is shown is, something else is. */
export function launchDifference(
  { words: was, lines = {} }: AgreedLaunch,
  now: BoundLaunch,
): LaunchDifference {
  const gone = was.filter((one) => !now.words.includes(one))
  const come = now.words
    .filter((one) => !was.includes(one))
    .map((word) => `${word}${changeIn(word, lines, now.texts)}`)
  const other = 'a part that is not shown'
  return gone.length + come.length === 0 ? { was: [other], now: [other] } : { was: gone, now: come }
}

/** Of a part that is a text, which lines are not the same. */
function changeIn(word: string, lines: AgreedLines, texts: BoundLaunch['texts'] = {}): string {
  const name = Object.keys(texts).find((one) => word.startsWith(`${one}: `))
  if (name === undefined || !Object.hasOwn(lines, name)) return ''
  return `; ${changeOfText(lines[name]!, texts[name]!)}`
}

/** The last word of a name: `GIT_ASKPASS` and `KEY_COMMAND` name programs, `API_KEY` and `githubToken` secrets. */
const isKey = (name: string): boolean =>
  /(?:^|_)(?:api)?(?:token|key|secret|password|passwd|pat)$/i.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))

/** Variables that a value is made of, as hosts write them. */
function referencesOf(value: string): Pick<LaunchPart, 'exact' | 'shown'> {
  const references = value.match(/\$\{[^}]*\}?/g) ?? []
  const names = references.map((one) => one.replace(/:-[\s\S]*$/, ':-…}'))
  return { exact: names.join(' '), shown: names.join(' ') }
}

const sorted = (values: { readonly [name: string]: string }): readonly (readonly [string, string])[] =>
  Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))

const longestShown = 300

export const shortened = (text: string): string => cut(text, longestShown)

/** Of further lines nothing is kept: what becomes of them is told without saying where. */
const mostLines = 400
/** 72 bits: too many for a line that is made to look like one of before. */
const digestBytes = 9
const digestCharacters = (digestBytes / 3) * 4
/** Characters of a line that is shown. */
const longestLine = 160

/** What of a text counts. */
export const digestOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A text in few words. */
export const textInWords = (text: string): string =>
  `${countOf(linesOf(text).length, 'line')}, sha256 ${digestOfText(text).slice(0, 12)}`

/** What is kept of a text, to say later where another one differs. */
const linesToKeep = (text: string): string => digestsOf(linesOf(text)).slice(0, mostLines).join('')

/**
 * Where a text differs from the one that a person agreed to: how many lines are new and how many gone, and the first that is new, as it
 * may be shown.
 *
 * @param kept - {@link linesToKeep} of that time
 */
function changeOfText(kept: string, text: string): string {
  const lines = linesOf(text)
  const was = kept.match(new RegExp(`.{${digestCharacters}}`, 'g')) ?? []
  const isCut = was.length >= mostLines || lines.length > mostLines
  const now = digestsOf(lines).slice(0, mostLines)
  const [added, gone] = [without(now, was), without(was, now)]
  const first = added[0] ?? now.findIndex((digest, at) => digest !== was[at])
  const counts = `${countOf(added.length, 'new line')}, ${gone.length} gone`
  if (added.length + gone.length === 0 && first < 0)
    return isCut ? `changed after line ${mostLines}` : 'changed where lines end'
  const summary = `${isCut ? `in the first ${mostLines} lines ` : ''}${counts}`
  return first < 0 ? summary : `${summary}; line ${first + 1}: ${JSON.stringify(shown(lines[first]!))}`
}

/** Places in one list that the other has not, each of its entries taken once. */
function without(list: readonly string[], other: readonly string[]): readonly number[] {
  const left = countsOf(other)
  return list.flatMap((one, at) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count > 0 ? [] : [at]
  })
}

function shown(line: string): string {
  return cut(maskSecrets(printableLine(beginningOf(line, 10 * longestLine))), longestLine)
}

const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split(/\r?\n/)

const digestsOf = (lines: readonly string[]): readonly string[] =>
  lines
    .slice(0, mostLines)
    .map((line) => createHash('sha256').update(line).digest().subarray(0, digestBytes).toString('base64'))
