import { type Conversion, convertUnit } from '../../../servers/arithmetic/convert-unit.ts'
import { roundTo } from '../../../servers/shared/rounding.ts'
import { InputError } from '../../../servers/shared/input-error.ts'
import { type Amount, findAmounts } from './find-amounts.ts'

/** How an agent converts. */
export type Converter = (value: number, from: string, to: string) => Conversion

const askedFirst = /\bhow (?:many|much)\s+(.+?)\s+(?:are|is|in|does|do|equals?|make|makes|correspond)\b/i
const link =
  /^\s*(?:to|in|into|as|=|equals?|expressed in|converted to|are how many|is how many|is what in)\s+(.+)$/i

/** Answers questions such as "How many km is 26.2 miles?" and "Convert 350 F to Celsius". */
export function answerMeasure(task: string, convert: Converter): string {
  const amounts = findAmounts(task)
  if (amounts.length === 0)
    throw new InputError('I found no quantity. Write for example "Convert 26.2 miles to km".')
  const read = amounts.map((amount) => questionAt(task, amount))
  const question = read.find(({ source, target }) => source !== null && target !== null) ?? read[0]!
  const { amount, source, target } = question
  if (source === null) {
    throw new InputError(
      `I do not know the unit after ${amount.value}. Write for example "${amount.value} miles in km".`,
    )
  }
  if (target === null)
    throw new InputError('I do not see which unit you want. Write for example "26.2 miles in km".')
  const { value, from, to } = convert(amount.value, source.unit, target.unit)
  return `${amount.value} ${from} is ${readable(value)} ${to}.`
}

/** The units that belong to an amount, as far as they are found. */
function questionAt(task: string, amount: Amount) {
  const after = task.slice(amount.end).trim()
  const source = unitAtStartOf(after)
  const linked = link.exec(after.slice(source?.length ?? 0))?.[1]
  const target = unitAtStartOf(linked ?? '') ?? unitAtStartOf(askedFirst.exec(task)?.[1] ?? '')
  return { amount, source, target }
}

/** Two decimals, or four significant digits for what would vanish in them. */
const readable = (value: number): number =>
  Math.abs(value) >= 1 ? roundTo(value, 2) : Number(value.toPrecision(4))

/** The longest unit that a text begins with, of at most four words. */
function unitAtStartOf(text: string): { readonly unit: string; readonly length: number } | null {
  const words = [...text.matchAll(/\S+/g)].slice(0, 4)
  for (let count = words.length; count > 0; count -= 1) {
    const end = words[count - 1]!.index + words[count - 1]![0].length
    const phrase = text
      .slice(0, end)
      .replace(/[?.,;:!)]+$/, '')
      .replace(/^(?:degrees?\s+|°\s?)/i, '')
    if (isUnit(phrase)) return { unit: phrase, length: end }
  }
  return null
}

function isUnit(phrase: string): boolean {
  try {
    convertUnit(1, phrase, phrase)
    return true
  } catch {
    return false
  }
}
