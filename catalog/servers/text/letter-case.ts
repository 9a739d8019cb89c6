/** Ways of writing a name or a title. */
export const letterCases = [
  'lower',
  'upper',
  'title',
  'sentence',
  'camel',
  'pascal',
  'snake',
  'kebab',
  'constant',
] as const

/** Rewrites a text: the first four keep its words as they stand, the others join them into one name. */
export function changeCase(text: string, to: (typeof letterCases)[number]): string {
  const words = wordsOf(text)
  const writers: { readonly [name in (typeof letterCases)[number]]: () => string } = {
    lower: () => text.toLowerCase(),
    upper: () => text.toUpperCase(),
    title: () => text.toLowerCase().replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase()),
    sentence: () => text.toLowerCase().replace(/(^\s*|[.!?]\s+)(\p{L})/gu, (found) => found.toUpperCase()),
    camel: () => words.map((word, index) => (index === 0 ? word : capitalised(word))).join(''),
    pascal: () => words.map(capitalised).join(''),
    snake: () => words.join('_'),
    kebab: () => words.join('-'),
    constant: () => words.join('_').toUpperCase(),
  }
  return writers[to]()
}

/** Words in lower case: `parseHTTPResponse_v2` gives parse, http, response, v2. */
function wordsOf(text: string): readonly string[] {
  const parted = text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/['’]/g, '')
  return (parted.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase())
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const spelledOut: { readonly [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  '&': ' and ',
}

/** A text as part of a web address: lower-case a to z, digits and hyphens. Empty when nothing of the text can be kept. */
export function slugify(text: string, maxLength: number): string {
  const plain = text
    .toLowerCase()
    .replace(/[ßæœøđłþ&]/g, (letter) => spelledOut[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
  const slug = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  if (slug.length <= maxLength) return slug
  const cut = slug.slice(0, maxLength + 1)
  const lastWord = cut.lastIndexOf('-')
  return lastWord > 0 ? cut.slice(0, lastWord) : slug.slice(0, maxLength)
}
