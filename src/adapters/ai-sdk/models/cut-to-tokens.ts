/** A text that was cut, and about how long it was. */
type CutText = { readonly text: string; readonly tokens: number; readonly wasCut: boolean }

/**
 * The beginning of a text, up to about so many tokens. Models' tokenisers differ, so that tokens are estimated: four ASCII characters,
 * two of another alphabet, or one ideograph, syllable or symbol make one.
 *
 * @param most - tokens, integer >= 1
 */
export function cutToTokens(text: string, most: number): CutText {
  let quarters = 0
  let kept = text.length
  let at = 0
  for (const character of text) {
    const code = character.codePointAt(0)!
    quarters += code < 0x80 ? 1 : code < 0x1100 ? 2 : 4
    if (quarters > most * 4 && kept === text.length) kept = at
    at += character.length
  }
  return { text: text.slice(0, kept), tokens: Math.ceil(quarters / 4), wasCut: kept < text.length }
}
