import { known, type AnswerKey } from './answer-key.ts'

/** What is still owed after so many equal payments. */
function owed(principal: number, monthlyRate: number, months: number, payment: number): number {
  let balance = principal
  for (let month = 0; month < months; month += 1) balance = balance * (1 + monthlyRate) - payment
  return balance
}

/** The payment after which nothing is owed, found by halving an interval. */
function payment(principal: number, monthlyRate: number, months: number): number {
  let [low, high] = [principal / months, principal * (1 + monthlyRate)]
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2
    if (owed(principal, monthlyRate, months, middle) > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const cent = 0.011

/** Savings, loans, bills. Amounts are right to the cent. */
export const moneyKeys: readonly AnswerKey[] = [
  {
    tool: 'compound_interest',
    draw(random) {
      const principal = random.whole(1, 50) * 100
      const annualRatePercent = random.decimal(0, 9, 1)
      const years = random.whole(1, 20)
      const compoundsPerYear = random.pick([1, 4, 12])
      const contribution = random.pick([0, 0, 25, 100])
      let balance = principal
      for (let period = 0; period < years * compoundsPerYear; period += 1) {
        balance += (balance * annualRatePercent) / 100 / compoundsPerYear + contribution
      }
      const paidIn = principal + contribution * years * compoundsPerYear
      const often = { 1: 'yearly', 4: 'quarterly', 12: 'monthly' }[compoundsPerYear]
      const text =
        `What do ${principal} grow to in ${years} years at ${annualRatePercent}% a year, compounded ${often}` +
        `${contribution > 0 ? `, with ${contribution} paid in at the end of each period` : ''}?`
      const given = { principal, annualRatePercent, years, compoundsPerYear, contribution }
      return known(text, given, { finalAmount: balance, paidIn, interest: balance - paidIn }, cent)
    },
  },
  {
    tool: 'loan_payment',
    draw(random) {
      const [principal, annualRatePercent, months] = [
        random.whole(1, 400) * 1000,
        random.decimal(1, 9, 1),
        random.whole(1, 30) * 12,
      ]
      const exact = payment(principal, annualRatePercent / 1200, months)
      const text = `What is the monthly payment on a loan of ${principal} at ${annualRatePercent}% over ${months} months, and what interest is paid in all?`
      const expected = {
        monthlyPayment: exact,
        totalPaid: exact * months,
        totalInterest: exact * months - principal,
      }
      return known(text, { principal, annualRatePercent, months }, expected, cent)
    },
  },
  {
    tool: 'loan_schedule',
    draw(random) {
      const [principal, annualRatePercent, months] = [
        random.whole(10, 90) * 100,
        random.decimal(1, 9, 1),
        random.whole(6, 48),
      ]
      const loan = `a loan of ${principal} at ${annualRatePercent}% over ${months} months`
      const given = { principal, annualRatePercent, months }
      const count = random.whole(2, 5)
      const monthly = payment(principal, annualRatePercent / 1200, months)
      const interest = (principal * annualRatePercent) / 1200
      return random.pick([
        known(
          `List the first month of ${loan}.`,
          { ...given, fromMonth: 1, count: 1 },
          {
            "$.months[0]['payment','interest','balance']": [
              monthly,
              interest,
              principal + interest - monthly,
            ],
          },
          2 * cent,
        ),
        known(
          `What is owed at the end of ${loan}?`,
          { ...given, fromMonth: months, count: 1 },
          { '$.months[*].balance': 0 },
          0.001,
        ),
        known(
          `List months 2 to ${count + 1} of ${loan}.`,
          { ...given, fromMonth: 2, count },
          { '$.months[*].month': Array.from({ length: count }, (_, index) => index + 2) },
        ),
      ])
    },
  },
  {
    tool: 'split_bill',
    draw(random) {
      const [amount, people, tipPercent] = [
        random.whole(10, 300),
        random.whole(2, 9),
        random.pick([0, 5, 10, 15, 20]),
      ]
      const cents = amount * (100 + tipPercent)
      const shares = new Array<number>(people).fill(0)
      for (let dealt = 0; dealt < cents; dealt += 1) shares[dealt % people]! += 1
      const text = `Split a bill of ${amount} with ${tipPercent}% tip among ${people} people, to the cent.`
      return known(
        text,
        { amount, people, tipPercent },
        { total: cents / 100, shares: shares.map((share) => share / 100) },
        0.001,
      )
    },
  },
]
