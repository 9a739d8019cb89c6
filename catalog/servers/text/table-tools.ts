import * as z from 'zod'
import { textField } from '../shared/fields.ts'
import { defineTool } from '../shared/tool.ts'
import { readCsv, writeCsv } from './csv.ts'
import { aggregates, filterTable, groupTable, operators, sortTable } from './query-table.ts'
import { summarizeColumn } from './summarize-column.ts'
import { objectsToTable, rowsToObjects } from './table-json.ts'

const csv = textField('CSV with a header line.')
const delimiter = z
  .string()
  .length(1)
  .refine((sign) => !'"\r\n'.includes(sign), 'send one character that is no quote and no line break')
  .default(',')
  .describe('One character: "," or ";" or a tab.')
const column = z.string().max(500).describe('Name of a column, as in the header.')
const direction = z.enum(['ascending', 'descending']).default('ascending')
const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** Tables in CSV. */
export const tableTools = [
  defineTool({
    name: 'csv_to_json',
    title: 'CSV to JSON',
    description:
      'Turn a CSV table into a list of JSON objects, one per row. Cells stay text unless "typed" is asked for.',
    input: z.strictObject({
      csv,
      delimiter,
      values: z
        .enum(['text', 'typed'])
        .default('text')
        .describe('"typed" turns numbers, true, false and empty cells into JSON values.'),
    }),
    output: z.object({ columns: z.array(z.string()), rows: z.array(z.record(z.string(), cell)) }),
    example: { csv: 'name,age\nAda,36\nBob,41', values: 'typed' },
    handle({ csv: text, delimiter: sign, values }) {
      const table = readCsv(text, sign)
      const rows = [...rowsToObjects(table, values)]
      return { result: { columns: [...table.columns], rows }, text: JSON.stringify(rows) }
    },
  }),
  defineTool({
    name: 'json_to_csv',
    title: 'JSON to CSV',
    description:
      'Turn a list of JSON objects into a CSV table with a header, for spreadsheets. Missing fields become empty cells.',
    input: z.strictObject({
      rows: z.array(z.record(z.string(), z.unknown())).min(1).max(20_000).describe('Objects, one per row.'),
      delimiter,
    }),
    output: z.object({ csv: z.string(), columns: z.array(z.string()) }),
    example: { rows: [{ name: 'Ada', age: 36 }, { name: 'Bob, Jr.' }] },
    handle({ rows, delimiter: sign }) {
      const table = objectsToTable(rows)
      const text = writeCsv(table, sign)
      return { result: { csv: text, columns: [...table.columns] }, text }
    },
  }),
  defineTool({
    name: 'summarize_csv_column',
    title: 'Summarize a CSV column',
    description:
      'Describe one column of a CSV table: rows, empty cells, distinct and most frequent values, and for numbers the ' +
      'sum, mean, median, minimum and maximum. Use it to get to know a table or to total a column.',
    input: z.strictObject({ csv, column, delimiter }),
    output: z.object({
      column: z.string(),
      rows: z.int(),
      empty: z.int(),
      distinct: z.int(),
      mostFrequent: z.array(z.object({ value: z.string(), count: z.int() })),
      numeric: z
        .object({
          sum: z.number(),
          mean: z.number(),
          median: z.number(),
          min: z.number(),
          max: z.number(),
          sampleStandardDeviation: z.number().nullable(),
        })
        .nullable()
        .describe('Null when some cell is no number.'),
    }),
    example: { csv: 'item,price\npen,2\nbook,10', column: 'price' },
    handle({ csv: text, column: name, delimiter: sign }) {
      const result = summarizeColumn(readCsv(text, sign), name)
      const numbers = result.numeric
      return {
        result,
        text:
          `${result.column}: ${result.rows} rows, ${result.empty} empty, ${result.distinct} distinct` +
          (numbers
            ? `; sum ${numbers.sum}, mean ${numbers.mean}, from ${numbers.min} to ${numbers.max}`
            : ''),
      }
    },
  }),
  defineTool({
    name: 'filter_csv',
    title: 'Filter a CSV table',
    description:
      'Keep the rows of a CSV table whose column fulfils a condition: equals, contains, greater, less, is empty. ' +
      'Numbers are compared as numbers, text regardless of case.',
    input: z.strictObject({
      csv,
      column,
      operator: z.enum(operators),
      value: z
        .string()
        .max(2000)
        .default('')
        .describe('What to compare with; not needed for isEmpty and isNotEmpty.'),
      delimiter,
    }),
    output: z.object({ csv: z.string(), kept: z.int(), dropped: z.int() }),
    example: { csv: 'item,price\npen,2\nbook,10', column: 'price', operator: 'greater', value: '5' },
    handle({ csv: text, column: name, operator, value, delimiter: sign }) {
      const table = readCsv(text, sign)
      const filtered = filterTable(table, name, operator, value)
      const kept = filtered.rows.length
      const result = { csv: writeCsv(filtered, sign), kept, dropped: table.rows.length - kept }
      return { result, text: result.csv }
    },
  }),
  defineTool({
    name: 'sort_csv',
    title: 'Sort a CSV table',
    description:
      'Sort the rows of a CSV table by a column, as text or as numbers, and keep only the first ones if asked.',
    input: z.strictObject({
      csv,
      column,
      as: z.enum(['text', 'number']).default('text'),
      direction,
      limit: z.int().min(1).max(100_000).optional().describe('Keep only so many rows: a top ten.'),
      delimiter,
    }),
    output: z.object({ csv: z.string(), rows: z.int() }),
    example: { csv: 'item,price\npen,2\nbook,10', column: 'price', as: 'number', direction: 'descending' },
    handle({ csv: text, column: name, as, direction: way, limit, delimiter: sign }) {
      const sorted = sortTable(readCsv(text, sign), name, as, way)
      const rows = sorted.rows.slice(0, limit)
      const written = writeCsv({ ...sorted, rows }, sign)
      return { result: { csv: written, rows: rows.length }, text: written }
    },
  }),
  defineTool({
    name: 'group_csv',
    title: 'Group a CSV table',
    description:
      'Group the rows of a CSV table by a column and count, total or average another one per group, like a pivot table: ' +
      'sales per region, hours per project.',
    input: z.strictObject({
      csv,
      by: column.describe('Column whose values make the groups.'),
      aggregate: z.enum(aggregates),
      column: column.describe('Column to calculate with.'),
      delimiter,
    }),
    output: z.object({
      groups: z.array(z.object({ group: z.string(), rows: z.int(), value: z.number().nullable() })),
    }),
    example: {
      csv: 'region,sales\nnorth,10\nsouth,5\nnorth,7',
      by: 'region',
      aggregate: 'sum',
      column: 'sales',
    },
    handle({ csv: text, by, aggregate, column: name, delimiter: sign }) {
      const groups = groupTable(readCsv(text, sign), by, aggregate, name)
      return {
        result: { groups },
        text: groups.map(({ group, value }) => `${group}: ${value ?? 'no numbers'}`).join('\n'),
      }
    },
  }),
]
