import { createRequire } from 'node:module'
import type { Schema, Table } from 'apache-arrow'

// Its warnings would fill a host's log, and it reads this when it is loaded; errors still come as exceptions.
process.env.LANCEDB_LOG ??= 'error'

const require = createRequire(import.meta.url)

/** LanceDB; loaded with the first module that reads or writes a store. */
export const lancedb = require('@lancedb/lancedb') as typeof import('@lancedb/lancedb')

/**
 * Apache Arrow as LanceDB itself loads it (CommonJS). The ES module build would be a second copy: slower to start, and
 * its types would be rebuilt one by one at every write, large binaries not at all.
 */
export const arrow = require('apache-arrow') as typeof import('apache-arrow')

/** Rows as LanceDB takes them, each column over as one vector of the type that its schema gives it. */
export function arrowRows<Row>(
  schema: Schema,
  rows: readonly Row[],
  columns: { readonly [name: string]: (row: Row) => unknown },
): Table {
  const vectors = schema.fields.map(({ name, type }) => [
    name,
    arrow.vectorFromArray(rows.map(columns[name]!), type),
  ])
  return new arrow.Table(schema, Object.fromEntries(vectors))
}
