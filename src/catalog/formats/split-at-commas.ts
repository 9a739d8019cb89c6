/**
 * The parts of a text between its commas, but for commas within brackets: those after which a bracket closes before another opens. Read
 * once, from the end.
 *
 * @param brackets - the opening and the closing one
 */
export function splitAtCommas(text: string, brackets: '()' | '[]'): readonly string[] {
  const parts: string[] = []
  let end = text.length
  let isBracketed = false
  for (let at = text.length - 1; at >= 0; at--) {
    const letter = text[at]!
    if (letter === brackets[1]) isBracketed = true
    else if (letter === brackets[0]) isBracketed = false
    else if (letter === ',' && !isBracketed) {
      parts.push(text.slice(at + 1, end))
      end = at
    }
  }
  parts.push(text.slice(0, end))
  return parts.reverse()
}
