import type { Glossary } from './glossary.ts'

/** What a letter costs that no form holds; a form costs 1, so that few long ones are taken before many short ones. */
const unknownLetter = 1.5

/**
 * Cuts letters that are written without spaces into forms of the glossary: so that the fewest letters are left over, and of these ways
 * the one with the fewest forms. Korean has some spaces: an expression that holds one begins behind another. In time linear in the
 * letters.
 *
 * @returns forms, spaces and runs of what is left over, in order: together the letters
 */
export function piecesOf(letters: string, { exactly, mostLetters }: Glossary): readonly string[] {
  const least = [0]
  const last = ['']
  for (let end = 1; end <= letters.length; end++) {
    const isSpace = letters[end - 1] === ' '
    let cost = least[end - 1]! + (isSpace ? 0 : unknownLetter)
    let piece = isSpace ? ' ' : ''
    for (let start = Math.max(0, end - mostLetters); start < end; start++) {
      const form = letters.slice(start, end)
      if (least[start]! + 1 > cost || exactly(form) === undefined) continue
      if (start > 0 && letters[start - 1] !== ' ' && form.includes(' ')) continue
      cost = least[start]! + 1
      piece = form
    }
    least.push(cost)
    last.push(piece)
  }
  const pieces: string[] = []
  let leftOver = ''
  const keep = (piece: string): void => {
    if (piece !== '') pieces.unshift(piece)
  }
  for (let end = letters.length; end > 0; ) {
    const piece = last[end]!
    if (piece === '') leftOver = letters[--end]! + leftOver
    else {
      keep(leftOver)
      leftOver = ''
      keep(piece)
      end -= piece.length
    }
  }
  keep(leftOver)
  return pieces
}
