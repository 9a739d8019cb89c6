/** A setting of a model that others run: a whole number with its bounds and its default, one of some words, or any text. */
type Setting =
  | { readonly least: number; readonly most: number; readonly usual?: number }
  | { readonly words: readonly string[] }
  | 'text'

type ValueOf<One extends Setting> = One extends { readonly words: readonly (infer Word)[] }
  ? Word | undefined
  : One extends 'text'
    ? string | undefined
    : One extends { readonly usual: number }
      ? number
      : number | undefined

/** Whose line it is, for errors. */
type LineOwner = {
  readonly variable: string
  readonly make: (message: string, remedy: string) => Error
}

/**
 * Reads `<what>?depth=20&window=10`.
 *
 * @returns what stands before the question mark, and every setting
 * @throws what `make` makes, naming the setting that is unknown or out of bounds
 */
export function modelLine<Known extends { readonly [name: string]: Setting }>(
  line: string,
  known: Known,
  { variable, make }: LineOwner,
): { readonly what: string; readonly settings: { readonly [name in keyof Known]: ValueOf<Known[name]> } } {
  const [what = '', ...rest] = line.split('?')
  const given = new URLSearchParams(rest.join('?'))
  const refusal = (message: string, remedy: string): Error =>
    make(`${variable}${message}.`, `${remedy} docs/models.md explains each.`)
  const unknown = [...given.keys()].find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined)
    throw refusal(
      ` has no setting "${unknown}"`,
      `It has ${Object.keys(known).join(', ')}: write for example ?${exampleIn(known)}.`,
    )
  const settings = Object.entries(known).map(([name, setting]) => {
    const text = given.get(name)
    const { value, remedy } = settingOf(text, setting)
    if (remedy !== undefined)
      throw refusal(`: ${name} is "${text}"`, `${remedy}, for example ${exampleOf(name, setting)}.`)
    return [name, value]
  })
  return { what, settings: Object.fromEntries(settings) }
}

/** For an example of numbers that have no default: lengths of vectors, texts at once. */
const usualLength = 512

const exampleOf = (name: string, setting: Setting): string =>
  `${name}=${setting === 'text' ? '' : 'words' in setting ? setting.words[0] : (setting.usual ?? usualLength)}`

/** Of the first setting with a default. */
const exampleIn = (known: { readonly [name: string]: Setting }): string =>
  Object.entries(known).flatMap(([name, setting]) =>
    typeof setting === 'object' && 'usual' in setting ? [exampleOf(name, setting)] : [],
  )[0] ?? ''

/** @returns the value, or what to do where it is none, without an example and a full stop */
function settingOf(
  text: string | null,
  setting: Setting,
): { readonly value?: string | number | undefined; readonly remedy?: string } {
  if (setting === 'text') return { value: text ?? undefined }
  if ('words' in setting) {
    if (text === null || setting.words.includes(text)) return { value: text ?? undefined }
    return { remedy: `Write one of ${setting.words.join(', ')}` }
  }
  const { least, most, usual } = setting
  if (text === null) return { value: usual }
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return { value: number }
  return { remedy: `Write a whole number from ${least} to ${most}` }
}
