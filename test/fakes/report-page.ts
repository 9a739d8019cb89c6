import { readFileSync } from 'node:fs'
import type { PackedColumns } from '../../src/evaluation/report/pack/columns.ts'
import type { PackFacts } from '../../src/evaluation/report/pack/pack-queries.ts'

/** The list of queries as the page's script reads it. */
export type QueryList = {
  readonly length: number
  readonly texts: readonly string[]
  readonly ids: readonly string[]
  readonly part: Uint32Array
  readonly group: Uint32Array
  readonly match: Uint32Array
  readonly tokens: Uint32Array
  readonly measures: readonly Float64Array[]
  readonly baseline: Float64Array
  lowered(): readonly string[]
}

/** One query's ranking as the page's script reads it. */
export type QueryDetails = {
  readonly candidates: readonly {
    readonly id: string
    readonly score: number
    readonly grade: number
    readonly before: number
    readonly signals?: {
      readonly lexical?: number
      readonly dense?: number
      readonly crossEncoder?: number
      readonly coverage: number
      readonly matched: readonly string[]
      readonly lift?: { readonly from: string; readonly share: number }
      readonly facets: readonly number[]
      readonly duplicates: readonly string[]
    }
  }[]
  readonly relevant: readonly {
    readonly id: string
    readonly grade: number
    readonly rank: number
    readonly before: number
  }[]
}

export type Wanted = {
  readonly [filter in 'text' | 'part' | 'group' | 'match' | 'change' | 'reasons' | 'order']: string
}

type ReadColumn = (name: string) => Promise<Uint8Array>

/** The parts of the page's script that need no page. They are plain JavaScript, so their types are stated here. */
type PageModules = {
  'unpack.js': {
    inflate(letters: string): Promise<Uint8Array>
    numbers(bytes: Uint8Array): Uint32Array
    unzigzag(value: number): number
    texts(shared: Uint32Array, lengths: Uint32Array, bytes: Uint8Array): readonly string[]
    wordTexts(words: readonly string[], spaced: Uint32Array, codes: Uint8Array): readonly string[]
  }
  'query-list.js': { readList(facts: PackFacts, column: ReadColumn): Promise<QueryList> }
  'query-details.js': {
    readDetails(facts: PackFacts, column: ReadColumn): Promise<(query: number) => QueryDetails>
  }
  'filter.js': { wantedQueries(list: QueryList, wanted: Wanted): readonly number[] }
}

const pageFolder = new URL('../../src/evaluation/report/page/', import.meta.url)

/** A module of the page's script. */
export async function pageModule<Name extends keyof PageModules>(name: Name): Promise<PageModules[Name]> {
  const loaded: unknown = await import(new URL(name, pageFolder).href)
  return loaded as PageModules[Name]
}

/** Reads packed columns as the page does. */
export async function columnReader(columns: PackedColumns): Promise<ReadColumn> {
  const { inflate } = await pageModule('unpack.js')
  return async (name) => inflate(columns[name] ?? '')
}

/** The text of a file of the page. */
export const pageFile = (name: string): string => readFileSync(new URL(name, pageFolder), 'utf8')
