/**
 * Values of one kind, column by column: what follows what is alike, so that deflate finds it. Plain values stand as they
 * are; of texts that come again, each stands once.
 */
export type PackedColumn =
  | readonly unknown[]
  | { readonly texts: readonly string[]; readonly numbers: readonly number[] }
  | { readonly lengths: readonly number[]; readonly of: PackedColumn }
  | { readonly present: readonly (0 | 1)[]; readonly of: PackedColumn }
  | { readonly count: number; readonly fields: { readonly [name: string]: PackedColumn } }

const isText = (value: unknown): value is string => typeof value === 'string'
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Turns plain data into columns: lists, records whose fields may be absent, texts and numbers, in any depth. */
export function toColumn(values: readonly unknown[]): PackedColumn {
  if (values.length === 0) return []
  if (values.includes(undefined)) {
    const of = toColumn(values.filter((value) => value !== undefined))
    return { present: values.map((value) => (value === undefined ? 0 : 1)), of }
  }
  if (values.every(isText)) return columnOfTexts(values)
  if (values.every(Array.isArray))
    return { lengths: values.map(({ length }) => length), of: toColumn(values.flat()) }
  if (!values.every(isRecord)) return values
  const names = new Set<string>()
  for (const value of values) for (const name in value) names.add(name)
  const fields = [...names].map((name) => [name, toColumn(values.map((value) => value[name]))] as const)
  return { count: values.length, fields: Object.fromEntries(fields) }
}

/** Sorted, so that neighbours share their beginnings. */
function columnOfTexts(values: readonly string[]): PackedColumn {
  const distinct = new Set(values)
  if (2 * distinct.size > values.length) return values
  const texts = [...distinct].sort()
  const numbers = new Map(texts.map((text, number) => [text, number]))
  return { texts, numbers: values.map((text) => numbers.get(text)!) }
}

/** The values that `toColumn` was given. */
export function fromColumn(column: PackedColumn): readonly unknown[] {
  if ('texts' in column) return column.numbers.map((number) => column.texts[number])
  if ('lengths' in column) {
    const all = fromColumn(column.of)
    let end = 0
    return column.lengths.map((length) => {
      end += length
      return all.slice(end - length, end)
    })
  }
  if ('present' in column) {
    const all = fromColumn(column.of).values()
    return column.present.map((present) => (present === 1 ? all.next().value : undefined))
  }
  if (!('fields' in column)) return column
  const records = Array.from({ length: column.count }, (): Record<string, unknown> => ({}))
  for (const [name, values] of Object.entries(column.fields))
    for (const [at, value] of fromColumn(values).entries())
      if (value !== undefined) records[at]![name] = value
  return records
}
