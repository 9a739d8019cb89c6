import { InputError } from '../shared/input-error.ts'
import { roundTo } from '../shared/rounding.ts'

/** A sum left to grow. Rates are in percent a year. */
export type Savings = {
  readonly principal: number
  readonly annualRatePercent: number
  readonly years: number
  readonly compoundsPerYear: number
  /** Paid in at the end of every compounding period. */
  readonly contribution: number
}

/** What savings grow to, rounded to cents. */
export function compoundInterest(savings: Savings) {
  const rate = savings.annualRatePercent / 100 / savings.compoundsPerYear
  const periods = savings.years * savings.compoundsPerYear
  const growth = (1 + rate) ** periods
  const annuity = rate === 0 ? periods : (growth - 1) / rate
  const finalAmount = savings.principal * growth + savings.contribution * annuity
  const paidIn = savings.principal + savings.contribution * periods
  if (!Number.isFinite(finalAmount)) {
    throw new InputError('The amount grows beyond what can be counted. Send a lower rate or fewer years.')
  }
  return {
    finalAmount: roundTo(finalAmount, 2),
    paidIn: roundTo(paidIn, 2),
    interest: roundTo(finalAmount - paidIn, 2),
  }
}

/**
 * The equal monthly payment that pays a loan off, rounded to cents.
 *
 * @param months - integer >= 1
 */
export function loanPayment(principal: number, annualRatePercent: number, months: number) {
  const exact = exactPayment(principal, annualRatePercent, months)
  return {
    monthlyPayment: roundTo(exact, 2),
    totalPaid: roundTo(exact * months, 2),
    totalInterest: roundTo(exact * months - principal, 2),
  }
}

/** One month of a loan. */
export type Instalment = {
  readonly month: number
  readonly payment: number
  readonly interest: number
  readonly repayment: number
  readonly balance: number
}

/** Month by month, in cents as a bank books them; the last payment settles what rounding left. */
export function loanSchedule(
  principal: number,
  annualRatePercent: number,
  months: number,
): readonly Instalment[] {
  const rate = annualRatePercent / 100 / 12
  const regular = roundTo(exactPayment(principal, annualRatePercent, months), 2)
  const schedule: Instalment[] = []
  let balance = roundTo(principal, 2)
  for (let month = 1; month <= months; month += 1) {
    const interest = roundTo(balance * rate, 2)
    const payment =
      month === months ? roundTo(balance + interest, 2) : Math.min(regular, roundTo(balance + interest, 2))
    const repayment = roundTo(payment - interest, 2)
    balance = roundTo(balance - repayment, 2)
    schedule.push({ month, payment, interest, repayment, balance })
  }
  return schedule
}

function exactPayment(principal: number, annualRatePercent: number, months: number): number {
  const rate = annualRatePercent / 100 / 12
  return rate === 0 ? principal / months : (principal * rate) / (1 - (1 + rate) ** -months)
}
