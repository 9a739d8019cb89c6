/** Characters that show nothing, move what follows, or pass for a plain space: what a comparison must not hide. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}|(?! )\p{Zs}/gu

/** Runs of letters; where they hold Latin ones too, letters of these scripts are shown for what they are. */
const words = /\p{L}+/gu
const latin = /\p{Script=Latin}/u
const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu

/**
 * A text on one line, for people who compare: characters that cannot be seen, and letters of another script among Latin
 * ones, stand as `<U+200B>`. Printable by construction.
 */
export const visibleText = (text: string): string =>
  text
    .replace(words, (word) => (latin.test(word) ? word.replace(lookAlike, codePoint) : word))
    .replace(hidden, codePoint)

const codePoint = (character: string): string =>
  `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`
