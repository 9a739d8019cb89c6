/**
 * Letters of other scripts that look like Latin ones, by the Latin letter they look like. A choice of those that turn up
 * in disguises; the forms that NFKC already folds (full width, mathematical, circled) are not among them.
 *
 * @see Unicode Technical Standard 39, section 4 (confusable detection)
 */
const looksLike: { readonly [latin: string]: string } = {
  a: 'аαɑᴀạąӓ',
  b: 'ьвβʙƅ',
  c: 'сϲᴄⅽƈ',
  d: 'ԁɗᴅ',
  e: 'еєεҽɛᴇё℮',
  f: 'ғƒꜰϝ',
  g: 'ɡɢԍց',
  h: 'һнʜհ',
  i: 'іιıɪїӏ',
  j: 'јϳᴊʝ',
  k: 'кκᴋқ',
  l: 'ӏʟłⅼ',
  m: 'мᴍṃ',
  n: 'пηɴոν',
  o: 'оοσᴏօөɵ',
  p: 'рρᴘ',
  q: 'ԛզ',
  r: 'гʀɾ',
  s: 'ѕꜱʂ',
  t: 'тτᴛƭ',
  u: 'υᴜսц',
  v: 'ѵνᴠ',
  w: 'ѡωᴡԝш',
  x: 'хχ᙮ⅹ',
  y: 'уγүʏ',
  z: 'ᴢʐ',
}

const latinOf: ReadonlyMap<string, string> = new Map(
  Object.entries(looksLike)
    .reverse() // of letters that stand twice, the first in the alphabet wins
    .flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
)

/** The word with every letter that looks Latin made Latin; lower case in, lower case out. */
export function skeletonOf(word: string): string {
  let skeleton = ''
  for (const character of word) skeleton += latinOf.get(character) ?? character
  return skeleton
}

const latin = /\p{Script=Latin}/u
const lookAlikeScripts = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** Whether one word mixes Latin letters with those of a script that looks like it, as no language does. */
export const mixesScripts = (word: string): boolean => latin.test(word) && lookAlikeScripts.test(word)

const word = /\p{L}[\p{L}\p{M}]*/gu
const plainLatin = /^[A-Za-z\u00c0-\u024f]*$/
const disguising =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff]/u

/**
 * The text with words in disguise made Latin: those that mix scripts or are written in small capitals, and, where most words are Latin,
 * those of another script all of whose letters look Latin. Texts of other languages stay as they are.
 */
export function foldLookAlikes(text: string): string {
  if (!disguising.test(text)) return text
  let latinWords = 0
  let otherWords = 0
  for (const [found] of text.matchAll(word)) {
    if (latin.test(found)) latinWords += 1
    else otherWords += 1
  }
  return text.replace(word, (found) => {
    if (plainLatin.test(found)) return found
    const skeleton = skeletonOf(found.toLowerCase())
    const isDisguised = latin.test(found) || latinWords > otherWords
    return isDisguised && /^[a-z]+$/.test(skeleton) ? skeleton : found
  })
}
