import { InputError } from '../../../servers/shared/input-error.ts'
import { findAmounts } from './find-amounts.ts'

/** How an agent works with percentages. */
export type RatioArithmetic = {
  /** Change from one amount to another, in percent. */
  change(from: number, to: number): number
  /** What percentage of the whole the part is. */
  share(part: number, whole: number): number
  /** So many percent of an amount. */
  part(percent: number, amount: number): number
  /** To two decimals, as answers are given. */
  round(value: number): number
}

const raising = /\b(?:increase[ds]?|raise[ds]?|add(?:ing|ed)?|plus|mark(?:ed)? up|up by|more|grows?)\b/i
const lowering =
  /\b(?:decrease[ds]?|reduce[ds]?|reduction|discount(?:ed)?|off|minus|less|subtract|down by|cut)\b/i

/** Answers percentage questions: shares, changes, parts, and amounts raised or lowered by a percentage. */
export function answerRatio(task: string, arithmetic: RatioArithmetic): string {
  const amounts = findAmounts(task)
  const percent = amounts.find(({ isPercent }) => isPercent)?.value
  const plain = amounts.filter(({ isPercent }) => !isPercent).map(({ value }) => value)
  const [first, second] = plain
  if (percent !== undefined && first !== undefined) return withPercentage(task, percent, first, arithmetic)
  if (first === undefined || second === undefined) {
    throw new InputError(
      'I need two numbers. Write for example "15% of 80", "from 80 to 100" or "17 out of 20 in percent".',
    )
  }
  if (/\bfrom\b.*\bto\b|\bwent (?:up|down)\b|\bchanged?\b|\bgrowth\b|\bwas\b.*\bnow\b/is.test(task)) {
    const change = arithmetic.round(arithmetic.change(first, second))
    return `From ${first} to ${second} is a change of ${change}%.`
  }
  const [part, whole] = /\b(?:percent(?:age)?|per cent|%)\s+of\s+[^\d]*\d[\d.,]*\s+(?:is|are)\b/i.test(task)
    ? [second, first]
    : [first, second]
  return `${part} is ${arithmetic.round(arithmetic.share(part, whole))}% of ${whole}.`
}

function withPercentage(task: string, percent: number, amount: number, arithmetic: RatioArithmetic): string {
  const part = arithmetic.part(percent, amount)
  if (lowering.test(task)) return `${amount} less ${percent}% is ${arithmetic.round(amount - part)}.`
  if (raising.test(task)) return `${amount} plus ${percent}% is ${arithmetic.round(amount + part)}.`
  return `${percent}% of ${amount} is ${arithmetic.round(part)}.`
}
