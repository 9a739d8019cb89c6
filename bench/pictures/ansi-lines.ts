/** A piece of a line in one manner. */
export type Span = {
  readonly text: string
  readonly isBold: boolean
  readonly isDim: boolean
  /** One of the sixteen colours of terminals, 0 to 15; null for the usual one. */
  readonly colour: number | null
}

type Manner = Omit<Span, 'text'>

const plain: Manner = { isBold: false, isDim: false, colour: null }

/** What one number of "select graphic rendition" does. Others than these are none that we write. */
function changed(manner: Manner, code: number): Manner {
  if (code === 0) return plain
  if (code === 1) return { ...manner, isBold: true }
  if (code === 2) return { ...manner, isDim: true }
  if (code === 22) return { ...manner, isBold: false, isDim: false }
  if (code === 39) return { ...manner, colour: null }
  if (code >= 30 && code <= 37) return { ...manner, colour: code - 30 }
  if (code >= 90 && code <= 97) return { ...manner, colour: code - 82 }
  return manner
}

/** Output of a terminal as lines of spans. */
export function ansiLines(output: string): readonly (readonly Span[])[] {
  let manner = plain
  return output
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const spans: Span[] = []
      for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
        if (text !== undefined) spans.push({ ...manner, text })
        else for (const code of (codes ?? '').split(';')) manner = changed(manner, Number(code))
      }
      return spans
    })
}
