import { InputError } from '../../../servers/shared/input-error.ts'
import { money } from '../../../servers/shared/rounding.ts'
import { type Amount, findAmounts } from './find-amounts.ts'

/** The equal monthly payment of a loan. */
export type PaymentFormula = (principal: number, annualRatePercent: number, months: number) => number

/** Answers questions such as "What is the monthly payment on 200,000 at 6% over 30 years?" */
export function answerInstalment(task: string, payment: PaymentFormula): string {
  const amounts = findAmounts(task)
  const term = amounts.find((amount) => unitAfter(task, amount) !== null)
  const rate = amounts.find(({ isPercent }) => isPercent)
  const principal = amounts
    .filter((amount) => amount !== term && amount !== rate && !amount.isPercent)
    .reduce((most, { value }) => Math.max(most, value), 0)
  if (term === undefined || rate === undefined || principal <= 0) {
    throw new InputError(
      'I need an amount, a yearly rate in percent and a term. Write for example "loan of 200,000 at 6% over 30 years".',
    )
  }
  const months = Math.round(term.value * (unitAfter(task, term) === 'years' ? 12 : 1))
  if (months < 1 || months > 600)
    throw new InputError(`A term of ${months} months is out of range. Send 1 to 600 months.`)
  const monthly = payment(principal, rate.value, months)
  return `${money(principal)} at ${rate.value}% a year over ${months} months costs ${money(monthly)} a month.`
}

function unitAfter(task: string, { end }: Amount): 'years' | 'months' | null {
  const unit = /^[\s-]*(years?|yrs?|months?|mos?)\b(?!ly)/i.exec(task.slice(end))?.[1]
  return unit === undefined ? null : unit.toLowerCase().startsWith('y') ? 'years' : 'months'
}
