import { type AnswerKey, type Draws, known } from './answer-key.ts'
import { plainWords } from './words.ts'

type Row = { readonly item: string; readonly region: string; readonly amount: number }

/** Rows with items and amounts that are all different, so that no rule for ties is needed. */
function someRows(random: Draws): readonly Row[] {
  const items = random.shuffled(plainWords).slice(0, random.whole(3, 8))
  const amounts = random.shuffled(Array.from({ length: 40 }, (_, index) => index * 5 + 2))
  return items.map((item, index) => ({
    item,
    region: random.pick(['north', 'south', 'east']),
    amount: amounts[index]!,
  }))
}

const csvOf = (rows: readonly Row[]): string =>
  ['item,region,amount', ...rows.map(({ item, region, amount }) => `${item},${region},${amount}`)].join('\n')
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Tables in CSV. */
export const tableKeys: readonly AnswerKey[] = [
  {
    tool: 'csv_to_json',
    draw(random) {
      const rows = someRows(random)
      return known(
        `Turn into JSON, with numbers as numbers:\n${csvOf(rows)}`,
        { csv: csvOf(rows), values: 'typed' },
        { rows: rows.map((row) => ({ ...row })) },
      )
    },
  },
  {
    tool: 'json_to_csv',
    draw(random) {
      const rows = someRows(random)
      return known(
        `Turn into CSV: ${JSON.stringify(rows)}`,
        { rows: rows.map((row) => ({ ...row })) },
        { csv: csvOf(rows) },
      )
    },
  },
  {
    tool: 'summarize_csv_column',
    draw(random) {
      const rows = someRows(random)
      const amounts = rows.map(({ amount }) => amount)
      const numeric = [
        sum(amounts),
        sum(amounts) / amounts.length,
        Math.min(...amounts),
        Math.max(...amounts),
      ]
      return known(
        `What are sum, mean, minimum and maximum of the amounts?\n${csvOf(rows)}`,
        { csv: csvOf(rows), column: 'amount' },
        { "$.numeric['sum','mean','min','max']": numeric },
        1e-9,
      )
    },
  },
  {
    tool: 'filter_csv',
    draw(random) {
      const rows = someRows(random)
      const value = random.whole(20, 150)
      const kept = rows.filter(({ amount }) => amount > value)
      const given = { csv: csvOf(rows), column: 'amount', operator: 'greater', value: String(value) }
      return known(`Keep the rows whose amount is above ${value}:\n${csvOf(rows)}`, given, {
        csv: csvOf(kept),
        kept: kept.length,
        dropped: rows.length - kept.length,
      })
    },
  },
  {
    tool: 'sort_csv',
    draw(random) {
      const rows = someRows(random)
      const limit = random.whole(1, rows.length)
      const sorted = rows.toSorted((left, right) => right.amount - left.amount).slice(0, limit)
      const given = { csv: csvOf(rows), column: 'amount', as: 'number', direction: 'descending', limit }
      return known(`Give the ${limit} rows with the largest amounts, largest first:\n${csvOf(rows)}`, given, {
        csv: csvOf(sorted),
        rows: limit,
      })
    },
  },
  {
    tool: 'group_csv',
    draw(random) {
      const rows = someRows(random)
      const aggregate = random.pick(['count', 'sum', 'max'] as const)
      const groups = [...new Set(rows.map(({ region }) => region))].map((group) => {
        const members = rows.filter(({ region }) => region === group)
        const amounts = members.map(({ amount }) => amount)
        return {
          group,
          rows: members.length,
          value: { count: members.length, sum: sum(amounts), max: Math.max(...amounts) }[aggregate],
        }
      })
      const given = { csv: csvOf(rows), by: 'region', aggregate, column: 'amount' }
      return known(`What is the ${aggregate} of amount per region?\n${csvOf(rows)}`, given, { groups })
    },
  },
]
