import * as z from 'zod'
import { numberField, wholeField } from '../shared/fields.ts'
import { money } from '../shared/rounding.ts'
import { defineTool } from '../shared/tool.ts'
import { compoundInterest, loanPayment, loanSchedule } from './interest.ts'
import { splitBill } from './split-bill.ts'

const amount = z.number().min(0).max(1e12)
const rate = z.number().min(0).max(1000).describe('Percent a year, for example 4.5.')
const loan = {
  principal: amount.describe('Amount borrowed.'),
  annualRatePercent: rate,
  months: wholeField(1, 600, 'Number of monthly payments.'),
}

/** Savings, loans, bills. */
export const moneyTools = [
  defineTool({
    name: 'compound_interest',
    title: 'Compound interest',
    description:
      'Work out what savings grow to with compound interest and regular contributions. Use it for saving plans and ' +
      'long-term growth; it knows no taxes, fees or inflation.',
    input: z.strictObject({
      principal: amount.describe('Amount at the start.'),
      annualRatePercent: rate,
      years: z.number().min(0).max(200).describe('How long, in years.'),
      compoundsPerYear: wholeField(1, 365, 'How often interest is added: 1 yearly, 12 monthly.').default(1),
      contribution: numberField('Paid in at the end of every compounding period.')
        .min(0)
        .max(1e12)
        .default(0),
    }),
    output: z.object({ finalAmount: z.number(), paidIn: z.number(), interest: z.number() }),
    example: { principal: 1000, annualRatePercent: 5, years: 10 },
    handle(savings) {
      const result = compoundInterest(savings)
      return {
        result,
        text: `After ${savings.years} years: ${money(result.finalAmount)}, of which ${money(result.interest)} is interest`,
      }
    },
  }),
  defineTool({
    name: 'loan_payment',
    title: 'Loan payment',
    description:
      'Work out the equal monthly payment of a loan or mortgage, what it costs in all, and how much of that is interest.',
    input: z.strictObject(loan),
    output: z.object({ monthlyPayment: z.number(), totalPaid: z.number(), totalInterest: z.number() }),
    example: { principal: 200_000, annualRatePercent: 6, months: 360 },
    handle({ principal, annualRatePercent, months }) {
      const result = loanPayment(principal, annualRatePercent, months)
      return {
        result,
        text: `${money(result.monthlyPayment)} a month, ${money(result.totalInterest)} interest in all`,
      }
    },
  }),
  defineTool({
    name: 'loan_schedule',
    title: 'Loan schedule',
    description:
      'List a loan month by month: payment, interest, repayment and remaining balance, booked in cents. ' +
      'For the balance at some month; the payment alone is what loan_payment gives.',
    input: z.strictObject({
      ...loan,
      fromMonth: wholeField(1, 600, 'First month to list.').default(1),
      count: wholeField(1, 60, 'How many months to list.').default(12),
    }),
    output: z.object({
      months: z.array(
        z.object({
          month: z.int(),
          payment: z.number(),
          interest: z.number(),
          repayment: z.number(),
          balance: z.number(),
        }),
      ),
    }),
    example: { principal: 1200, annualRatePercent: 12, months: 12, fromMonth: 1, count: 3 },
    handle({ principal, annualRatePercent, months, fromMonth, count }) {
      const listed = loanSchedule(principal, annualRatePercent, months).slice(
        fromMonth - 1,
        fromMonth - 1 + count,
      )
      const lines = listed.map(
        (row) =>
          `${row.month}: pays ${money(row.payment)} (interest ${money(row.interest)}), balance ${money(row.balance)}`,
      )
      return {
        result: { months: listed.map((row) => ({ ...row })) },
        text: lines.join('\n') || `The loan ends with month ${months}.`,
      }
    },
  }),
  defineTool({
    name: 'split_bill',
    title: 'Split a bill',
    description:
      'Share a bill with tip among people, in restaurants or a household, so that the shares add up to the cent.',
    input: z.strictObject({
      amount: amount.describe('The bill before tip.'),
      people: wholeField(1, 1000, 'How many share it.'),
      tipPercent: z.number().min(0).max(100).default(0).describe('Tip in percent of the bill.'),
    }),
    output: z.object({ tip: z.number(), total: z.number(), shares: z.array(z.number()) }),
    example: { amount: 86.4, people: 4, tipPercent: 10 },
    handle({ amount: bill, people, tipPercent }) {
      const result = splitBill(bill, people, tipPercent)
      const most = Math.max(...result.shares)
      const least = Math.min(...result.shares)
      const each = most === least ? `${money(most)} each` : `${money(least)} to ${money(most)} each`
      return { result, text: `Total ${money(result.total)} with ${money(result.tip)} tip: ${each}` }
    },
  }),
]
