import { excerpt, type ReferenceCheck } from './reference-check.ts'

/** A number as it stands in a text. */
type WrittenNumber = {
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
  '¼': 1 / 4,
  '½': 1 / 2,
  '¾': 3 / 4,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '⅕': 1 / 5,
  '⅖': 2 / 5,
  '⅗': 3 / 5,
  '⅘': 4 / 5,
  '⅙': 1 / 6,
  '⅚': 5 / 6,
  '⅛': 1 / 8,
  '⅜': 3 / 8,
  '⅝': 5 / 8,
  '⅞': 7 / 8,
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

/** Texts are searched from here on to their end; the answer stands last. Characters. */
const longestText = 100_000

/** Rounding noise of binary arithmetic, as a share of the value; what a reference without tolerance forgives. */
const noise = 1e-9

/**
 * Whether the number that the answer gives is the right one: within `tolerance` (absolute, default: rounding noise) 5. A right
 * number that rounds the value to at least three digits, or one that stands elsewhere in the answer, is part of it: 3. Else 1.
 *
 * The number that the answer gives is, by the first rule that fits: the first one after the last "answer is", "answer:", `####` or
 * `\boxed`; the last one set in bold; the last one that the task does not state (so that "1,199.10 over 360 months" gives
 * 1,199.10 when 360 months were asked about); the last one.
 */
export const number: ReferenceCheck<'number'> = ({ value, tolerance }, { text, structured, task }) => {
  if (!Number.isFinite(value))
    return { refusal: 'The reference has no finite number. Give "value" as a number.' }
  if (tolerance !== undefined && !(tolerance >= 0)) {
    return { refusal: `The reference has a tolerance of ${tolerance}. Give a number of 0 or more.` }
  }
  const allowed = tolerance ?? Math.abs(value) * noise
  const isRight = ({ readings }: WrittenNumber) =>
    readings.some((reading) => Math.abs(reading - value) <= allowed + 1e-12 * Math.abs(value))
  if (typeof structured === 'number' && Math.abs(structured - value) <= allowed) {
    return { grade: 5, reason: `The answer is ${structured}, as expected.` }
  }
  const tail = text.slice(-longestText)
  const numbers = writtenNumbers(tail)
  const given = givenNumber(tail, numbers, writtenNumbers(task.slice(-longestText)))
  if (given === undefined)
    return { grade: 1, reason: `The answer ${excerpt(text)} holds no number; ${value} was expected.` }
  if (isRight(given)) return { grade: 5, reason: `The answer gives ${excerpt(given.text)}, as expected.` }
  if (tolerance === undefined && given.readings.some((reading) => roundsTo(value, reading, given.text))) {
    return { grade: 3, reason: `The answer gives ${excerpt(given.text)}, which rounds ${value}.` }
  }
  return numbers.some(isRight)
    ? { grade: 3, reason: `The answer mentions ${value}, but gives ${excerpt(given.text)}.` }
    : { grade: 1, reason: `The answer gives ${excerpt(given.text)}; ${value} was expected.` }
}

function givenNumber(
  text: string,
  numbers: readonly WrittenNumber[],
  asked: readonly WrittenNumber[],
): WrittenNumber | undefined {
  const marked = [...text.matchAll(/\banswer(?:\s+(?:is|would be|comes to)|\s*[:=])|####|\\boxed\{/gi)].at(-1)
  const afterMark = marked && numbers.find(({ at }) => at >= marked.index + marked[0].length)
  if (afterMark) return afterMark
  const bold = [...text.matchAll(/\*\*([^*\n]{1,200})\*\*/g)]
    .flatMap((match) => numbers.filter(({ at }) => at > match.index && at < match.index + match[0].length))
    .at(-1)
  if (bold) return bold
  const stated = new Set(asked.flatMap(({ readings }) => readings))
  return (
    numbers.filter(({ readings }) => !readings.some((reading) => stated.has(reading))).at(-1) ??
    numbers.at(-1)
  )
}

/** Whether a number as written is the value rounded to the digits that it shows, at least three significant ones. */
function roundsTo(value: number, reading: number, written: string): boolean {
  const digits = written.replace(/\D/g, '').replace(/^0+/, '')
  const decimals = /[.](\d+)\D*$/.exec(written)?.[1]?.length ?? 0
  return (
    digits.length >= 3 &&
    decimals > 0 &&
    Math.abs(reading - value) <= 0.5 * 10 ** -decimals + Math.abs(value) * noise
  )
}
