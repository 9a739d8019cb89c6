/**
 * The beginning of a text: so many characters (UTF-16 units) at most, and never half of a pair of surrogates at its end.
 * A half that stands alone elsewhere becomes U+FFFD, so that the beginning can be stored and sent.
 */
export function beginningOf(text: string, most: number): string {
  const last = text.length > most ? text.charCodeAt(most - 1) : 0
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most).toWellFormed()
}

/** So many characters of a text, and an ellipsis behind them where something was left out. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${beginningOf(text, most)}…`

/** The same, the ellipsis counted among the characters: one at least. */
export const cutWithin = (text: string, most: number): string =>
  text.length <= most ? text : cut(text, most - 1)

/** The same as {@link cut}, with how many characters were left out. */
export const cutCounting = (text: string, most: number): string =>
  text.length <= most ? text : `${cut(text, most)} (${text.length - most} characters more)`
