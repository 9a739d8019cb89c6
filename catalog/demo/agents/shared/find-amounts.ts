/** A number in a text, and the words around it that matter. */
export type Amount = {
  readonly value: number
  readonly start: number
  readonly end: number
  readonly isPercent: boolean
}

const smallNumbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
]
const scales: { readonly [name: string]: number } = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6 }
const written = new RegExp(
  `(?<![\\w.])([-−]?)[$€£]?\\s?(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?|\\.\\d+)` +
    `(?:\\s?(k|thousand|million)\\b|(m)\\b(?=\\s+(?:loan|mortgage)))?\\s*(%|percent\\b|per cent\\b|pct\\b)?` +
    `|\\b(${smallNumbers.join('|')})\\b(?:\\s*(%|percent\\b|per cent\\b))?`,
  'gi',
)

/** Numbers in a text in order: `1,250.50`, `$80`, `200k`, `6%`, `five percent`, `twelve`. */
export const findAmounts = (text: string): readonly Amount[] =>
  [...text.matchAll(written)].map((match) => ({
    value: numberWritten(match),
    start: match.index,
    end: match.index + match[0].trimEnd().length,
    isPercent: (match[5] ?? match[7]) !== undefined,
  }))

function numberWritten(match: RegExpExecArray): number {
  const [, sign, digits, scale, millions, , word] = match
  if (digits === undefined) return smallNumbers.indexOf((word ?? '').toLowerCase())
  const factor = scales[(scale ?? millions ?? '').toLowerCase()] ?? 1
  return (sign ? -1 : 1) * Number(digits.replaceAll(',', '')) * factor
}
