import { InputError } from '../../../servers/shared/input-error.ts'
import { tidy } from '../../../servers/shared/rounding.ts'
import { readCsv, type Table } from '../../../servers/text/csv.ts'
import { numberIn } from '../../../servers/text/query-table.ts'

/** What can be asked of a column. */
type Operation = 'total' | 'average' | 'highest' | 'lowest' | 'count'

const operationWords: readonly (readonly [Operation, RegExp])[] = [
  ['average', /\b(?:average|mean)\b/i],
  ['highest', /\b(?:highest|largest|biggest|maximum|max|most expensive|top)\b/i],
  ['lowest', /\b(?:lowest|smallest|minimum|min|least|cheapest)\b/i],
  [
    'count',
    /\b(?:how many (?:rows|lines|entries|records|orders|items)|number of (?:rows|lines|entries|records)|count)\b/i,
  ],
  ['total', /\b(?:total|sum|add(?:ed)? up|altogether|overall|in all|how much)\b/i],
]

/** Answers questions on a small CSV table that stands in the task: total, average, highest, lowest, number of rows. */
export function answerTally(task: string, rowsOf: (table: Table) => Table['rows']): string {
  const { question, csv } = questionAndTable(task)
  const table = readCsv(csv, ',')
  const rows = rowsOf(table)
  const operation = operationWords.find(([, words]) => words.test(question))?.[0]
  if (operation === undefined) {
    throw new InputError(
      'I do not see what to work out. Ask for the total, average, highest or lowest of a column, or the number of rows.',
    )
  }
  if (operation === 'count') return `The table has ${rows.length} rows.`
  const column = columnAskedFor(table, question)
  const numbers = rows.map((cells) => numberIn(cells[column] ?? '')).filter((value) => value !== null)
  if (numbers.length === 0)
    throw new InputError(`Column "${table.columns[column]}" holds no numbers. Ask about another one.`)
  return `The ${operation} of ${table.columns[column]} is ${calculate[operation](numbers)}.`
}

const calculate: {
  readonly [operation in Exclude<Operation, 'count'>]: (numbers: readonly number[]) => number
} = {
  total: (numbers) => tidy(numbers.reduce((sum, value) => sum + value, 0)),
  average: (numbers) =>
    tidy(Math.round((numbers.reduce((sum, value) => sum + value, 0) / numbers.length) * 100) / 100),
  highest: (numbers) => Math.max(...numbers),
  lowest: (numbers) => Math.min(...numbers),
}

/** The table is the longest run of lines with the same number of commas, at least two; fences around it are dropped. */
function questionAndTable(task: string): { readonly question: string; readonly csv: string } {
  const lines = task.split(/\r?\n/).filter((line) => !/^\s*```/.test(line) && line.trim() !== '')
  let best: { readonly from: number; readonly to: number } = { from: 0, to: 0 }
  for (let from = 0; from < lines.length; from += 1) {
    const commas = commasIn(lines[from]!)
    let to = from
    while (commas > 0 && to < lines.length && commasIn(lines[to]!) === commas) to += 1
    if (to - from > best.to - best.from) best = { from, to }
  }
  if (best.to - best.from < 2) {
    throw new InputError(
      'I found no table. Put the CSV with its header on lines of its own below the question.',
    )
  }
  return {
    question: [...lines.slice(0, best.from), ...lines.slice(best.to)].join('\n'),
    csv: lines
      .slice(best.from, best.to)
      .map((line) => line.trim())
      .join('\n'),
  }
}

/** Sentences have commas too, but they end like sentences. */
const commasIn = (line: string): number => (/[?!:.]\s*$/.test(line) ? 0 : line.split(',').length - 1)

/** The column the question names, else the only one with numbers. */
function columnAskedFor(table: Table, question: string): number {
  const asked = question.toLowerCase()
  const named = table.columns.findIndex((name) =>
    [name, `${name}s`, name.replaceAll('_', ' ')].some((spelling) => mentions(asked, spelling.toLowerCase())),
  )
  if (named >= 0) return named
  const numeric = table.columns.flatMap((_, index) =>
    table.rows.every((cells) => numberIn(cells[index] ?? '') !== null) ? [index] : [],
  )
  if (numeric.length === 1) return numeric[0]!
  throw new InputError(`I do not see which column you mean. Name one of: ${table.columns.join(', ')}.`)
}

const mentions = (text: string, words: string): boolean =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_])${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}_])`,
    'u',
  ).test(text)
