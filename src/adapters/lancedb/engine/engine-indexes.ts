import { setTimeout as wait } from 'node:timers/promises'
import type { Table } from '@lancedb/lancedb'
import type { EngineIndexes } from '../../../store/diagnosis.ts'
import { lancedb } from '../native.ts'
import { again } from '../engine-connection.ts'

/** Names of the columns that have an index of their own, and what kind. */
const indexed = {
  row: 'btree',
  id: 'btree',
  source: 'btree',
  born: 'btree',
  gone: 'btree',
  words: 'words',
} as const

/** From so many rows on vectors have an index; fewer are looked through one by one. */
const indexedFrom = 10_000

/** The words are terms already. */
export const plainWords = {
  baseTokenizer: 'whitespace',
  lowercase: false,
  stem: false,
  removeStopWords: false,
  asciiFolding: false,
  withPosition: false,
  maxTokenLength: 80,
} as const

/** What a table of cards holds: whether there are vectors, and how many rows count. */
export type Indexable = { readonly hasVectors: boolean; readonly rows: number }

/** The columns that have an index in such a table. */
const columnsOf = ({ hasVectors, rows }: Indexable): readonly string[] => [
  ...(rows > 0 ? Object.keys(indexed) : []),
  ...(hasVectors && rows >= indexedFrom ? ['vector'] : []),
]

/**
 * Asks for the indexes that are missing, each over one column. The engine makes them when it can, and keeps them up to date by itself.
 *
 * @returns the columns of those that a search is to be held up for
 */
export async function makeIndexes(table: Table, indexable: Indexable): Promise<readonly string[]> {
  const present = new Set((await table.listIndices()).flatMap(({ columns }) => columns))
  const missing = columnsOf(indexable).filter((column) => !present.has(column))
  const { Index } = lancedb
  for (const column of missing)
    await table.createIndex(column, {
      config:
        column === 'vector'
          ? Index.ivfRq({ distanceType: 'cosine' })
          : column === 'words'
            ? Index.fts(plainWords)
            : Index.btree(),
    })
  return missing.filter((column) => column === 'words' || column === 'vector')
}

/** How long is waited for indexes, and how often the engine is asked, in milliseconds. */
const patience = { mostMs: 600_000, pollMs: 500 }

/**
 * Waits until indexes are there with all rows in them, and gives up after a while.
 *
 * @param meanwhile - done before every look
 * @returns the columns whose indexes are not
 */
export async function unreadyIndexes(
  table: Table,
  columns: readonly string[],
  meanwhile: () => Promise<void>,
): Promise<readonly string[]> {
  const until = performance.now() + patience.mostMs
  for (let unready = columns; ; await wait(patience.pollMs)) {
    await meanwhile()
    const made = await again(() => indexesOf(table))
    unready = unready.filter((column) => !made.some((one) => one.column === column && one.left === 0))
    if (unready.length === 0 || performance.now() >= until) return unready
  }
}

async function indexesOf(table: Table): Promise<EngineIndexes['made']> {
  const listed = await table.listIndices()
  const made = listed.map(async ({ name, columns, indexType }) => {
    const stats = await table.indexStats(name)
    return {
      column: columns.join(', '),
      type: stats?.indexType ?? indexType,
      left: stats?.numUnindexedRows ?? null,
    }
  })
  return Promise.all(made)
}

/** Tells which indexes a table has, and which of those that it should have are not there. */
export async function diagnoseIndexes(
  table: Table,
  indexable: Indexable,
): Promise<Pick<EngineIndexes, 'made' | 'missing'>> {
  const made = await indexesOf(table)
  const isMade = (column: string): boolean => made.some((one) => one.column === column)
  return { made, missing: columnsOf(indexable).filter((column) => !isMade(column)) }
}

/** Of so many times as many rows the engine looks at the whole vectors: 8 gave 0.98 of the nearest 150 of 300,000. */
const refineFactor = 16

/**
 * The rows nearest to any of some vectors. Rows that are in no index yet are looked at one by one. Of an index as many parts are looked
 * through as it takes: the 20 that a client asks for by itself leave out most of what a narrow filter lets through.
 */
export function nearest(table: Table, [first, ...others]: readonly Float32Array[]) {
  const query = table.query().nearestTo(first!).column('vector').distanceType('cosine')
  for (const vector of others) query.addQueryVector(vector)
  return query.maximumNprobes(0).refineFactor(refineFactor)
}
