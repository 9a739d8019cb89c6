import { RerankerError } from './reranker-error.ts'

/** A setting of a reranker: a whole number with its bounds and its default, or one of some words. */
type Setting =
  | { readonly least: number; readonly most: number; readonly usual: number }
  | { readonly words: readonly string[] }

type ValueOf<One extends Setting> = One extends { readonly words: readonly (infer Word)[] }
  ? Word | undefined
  : number

/**
 * Reads `<what>?depth=20&window=10`.
 *
 * @returns what stands before the question mark, and every setting
 * @throws RerankerError naming the setting that is unknown or out of bounds
 */
export function rerankerLine<Known extends { readonly [name: string]: Setting }>(
  line: string,
  known: Known,
): { readonly what: string; readonly settings: { readonly [name in keyof Known]: ValueOf<Known[name]> } } {
  const [what = '', ...rest] = line.split('?')
  const given = new URLSearchParams(rest.join('?'))
  const unknown = [...given.keys()].find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined)
    throw refusal(`AUDITION_RERANKER has no setting "${unknown}"`, `It has ${Object.keys(known).join(', ')}.`)
  const settings = Object.entries(known).map(([name, setting]) => [
    name,
    settingOf(name, given.get(name), setting),
  ])
  return { what, settings: Object.fromEntries(settings) }
}

function settingOf(name: string, text: string | null, setting: Setting): string | number | undefined {
  if ('words' in setting) {
    if (text === null || setting.words.includes(text)) return text ?? undefined
    throw refusal(`AUDITION_RERANKER: ${name} is "${text}"`, `Write one of ${setting.words.join(', ')}.`)
  }
  const { least, most, usual } = setting
  if (text === null) return usual
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  throw refusal(`AUDITION_RERANKER: ${name} is "${text}"`, `Write a whole number from ${least} to ${most}.`)
}

const refusal = (message: string, remedy: string): RerankerError =>
  new RerankerError(`${message}.`, `${remedy} docs/models.md explains each.`)
