/** A number as it stands in a text. */
export type WrittenNumber = {
  /** What it may mean, most likely first: `25%` is 25 or 0.25. */
  readonly readings: readonly number[]
  /** Position of its first character. */
  readonly at: number
  readonly text: string
}

const sign = '[-−–+]?'
const currency = '(?:[$€£¥₹]\\s?)?'
const blank = "['’\\u00a0\\u202f]"
const grouped = `\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:${blank}\\d{3})+(?:[.,]\\d+)?`
const groupedByPoints = '\\d{1,3}(?:\\.\\d{3})+,\\d+'
const digits = '\\d{1,40}'
const plain = `(?:${digits}(?!\\d)(?:[.,]${digits})?|\\.${digits})(?!\\d)`
const power =
  '(?:[eE][-+]?\\d+|\\s?[×x*·]\\s?10(?:(?:\\^|\\*\\*)(?:\\{[-−]?\\d+\\}|\\([-−]?\\d+\\)|[-−]?\\d+)|[⁰¹²³⁴-⁹⁻]+))'
const vulgar = '[¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]'

/** Not numbers: dates, times, versions, addresses. They are skipped as a whole. */
const otherThings =
  '\\d+(?:[-/]\\d+){2,}(?:T[\\d:.]+Z?)?|\\d+(?::\\d+)+(?:\\.\\d+)?|\\d+(?:\\.\\d+){2,}(?!,\\d)'
const beside = "(?<![\\p{L}\\p{N}_]|\\p{N}[.,:/']|\\p{L}[-−])"

const token = new RegExp(
  `${beside}(?:(?<minus>(?<![\\p{L}\\p{N})%])${sign})${currency}${sign}` +
    `(?:(?<byPoints>${groupedByPoints})|(?<other>${otherThings})|` +
    `(?:(?<whole>${digits})[ \\u00a0])?(?<over>${digits})\\s?[/⁄]\\s?(?<under>${digits})(?![/⁄\\d])|` +
    `(?:(?<wholeBefore>${digits})[ \\u00a0]?)?(?<vulgar>${vulgar})|` +
    `(?<digits>${grouped}|${plain})(?<power>${power})?)` +
    `(?<after>\\s?[%‰]|\\s?(?:percent|per cent)\\b|\\s(?:thousand|million|billion|trillion)\\b)?)`,
  'giu',
)

/**
 * The numbers of a text, in order. Read are: signs (`-`, `−`), currency signs, grouping by comma, apostrophe or narrow blank,
 * decimal points, a decimal comma where it cannot be grouping (`0,75`, `1.234,56`), exponents (`1.5e3`, `1.5 × 10^3`), percent
 * (two readings), fractions (`3/4`, `1 1/2`, `½`), and thousand to trillion as words. Left out are digits inside words (`H2O`),
 * dates, times and versions. Numbers in words ("twelve") are not read.
 */
export function writtenNumbers(text: string): readonly WrittenNumber[] {
  return [...text.matchAll(token)].flatMap((match) => {
    const parts = match.groups ?? {}
    if (parts.other !== undefined) return []
    const size = sizeOf(parts)
    if (!Number.isFinite(size)) return []
    const written = match[0]
    const value = /[-−]/.test(/^\D*/.exec(written)?.[0] ?? '') ? -size : size
    return [{ readings: readingsOf(value, parts.after ?? ''), at: match.index, text: written.trim() }]
  })
}

type Parts = { readonly [name: string]: string | undefined }

function sizeOf({
  byPoints,
  whole,
  wholeBefore,
  over,
  under,
  vulgar: sign,
  digits: shown = '',
  power: exponent,
}: Parts): number {
  if (byPoints !== undefined) return Number(byPoints.replaceAll('.', '').replace(',', '.'))
  if (sign !== undefined) return Number(wholeBefore ?? 0) + vulgarFractions[sign]!
  if (over !== undefined) return Number(whole ?? 0) + Number(over) / Number(under)
  return Number(`${decimal(shown)}e${exponentOf(exponent ?? '')}`)
}

/** A comma before exactly three digits groups; before any other number of digits it is a decimal comma. */
function decimal(digits: string): string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) return digits.replaceAll(',', '')
  return digits.replace(/['’\u00a0\u202f]/g, '').replace(',', '.')
}

function exponentOf(power: string): number {
  if (power === '') return 0
  if (/^e/i.test(power)) return Number(power.slice(1))
  const shown = power.replace(/^\s?[×x*·]\s?10(?:\^|\*\*)?/i, '')
  const plainDigits = [...shown]
    .map((digit) => (raised.includes(digit) ? String(raised.indexOf(digit)) : digit))
    .join('')
  return Number(plainDigits.replace(/[{}()]/g, '').replace(/[⁻−]/g, '-'))
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹'

const vulgarFractions: { readonly [sign: string]: number } = {
  ...{ '¼': 1 / 4, '½': 1 / 2, '¾': 3 / 4, '⅓': 1 / 3, '⅔': 2 / 3, '⅕': 1 / 5, '⅖': 2 / 5, '⅗': 3 / 5 },
  ...{ '⅘': 4 / 5, '⅙': 1 / 6, '⅚': 5 / 6, '⅛': 1 / 8, '⅜': 3 / 8, '⅝': 5 / 8, '⅞': 7 / 8 },
}

const scales: { readonly [word: string]: number } = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
}

function readingsOf(value: number, after: string): readonly number[] {
  const word = after.trim().toLowerCase()
  if (word === '') return [value]
  if (word === '‰') return [value, value / 1000]
  const scale = scales[word]
  return scale === undefined ? [value, value / 100] : [value * scale]
}
