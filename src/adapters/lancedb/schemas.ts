import type { CardKind } from '../../domain/card.ts'
import { batches } from '../../domain/grouped.ts'
import { arrow } from './native.ts'

const { Binary, Field, FixedSizeList, Float32, Float64, LargeBinary, Schema, Utf8 } = arrow

export const cardKinds: readonly CardKind[] = ['tool', 'agent']
/** Tables of cards, by kind. */
export const cardTables: { readonly [kind in CardKind]: string } = { tool: 'tools', agent: 'agents' }
/** Tables of vectors, by kind; made anew when the model changes. */
export const vectorTables: { readonly [kind in CardKind]: string } = {
  tool: 'tool_vectors',
  agent: 'agent_vectors',
}
/** The packed search images of both kinds, in parts. */
export const imagesTable = 'images'
/** What the names of tables begin with that hold one segment of a search image each. They never change. */
export const segmentStems: { readonly [kind in CardKind]: string } = {
  tool: 'tool_segment',
  agent: 'agent_segment',
}
/** Key and value: the head, which names one version of every table and the states that go with them, and those states. */
export const metaTable = 'meta'

const text = (name: string) => new Field(name, new Utf8(), false)
const number = (name: string) => new Field(name, new Float64(), false)

/** The card as JSON is the truth; the other columns find it. */
export const cardSchema = new Schema([text('id'), text('source'), text('hash'), text('card')])

/** What the vectors of a table are. */
export type VectorShape = {
  readonly dimensions: number
  /** Of vectors of several parts, see `EmbeddingModel`. */
  readonly parts?: readonly number[] | undefined
}

/** Vectors of one part as they are; those of several are long, and in 8 bits as the search image has them. */
export const vectorSchema = ({ dimensions, parts }: VectorShape) =>
  new Schema([
    text('id'),
    parts
      ? new Field('rounded', new Binary(), false)
      : new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32(), true)), false),
  ])

export const imageSchema = new Schema([text('kind'), new Field('image', new LargeBinary(), false)])

export const metaSchema = new Schema([text('key'), text('value')])

/** One row per outcome: of what was executed, and of what was only simulated. No head names their versions: a row is there as soon as it is written. */
export const recordTable = 'track_record'
export const simulatedTable = 'simulated_record'
export const recordTables = [recordTable, simulatedTable] as const

/**
 * The outcome as JSON is the truth; the other columns find it, and hold what a search needs, which reads no JSON. `time` and `added`, when
 * it was written, are milliseconds since 1970; `grade` is null without one; `vector` is that of its task in 8 bits by `model`, both
 * null without one.
 */
export const recordSchema = new Schema([
  text('id'),
  text('card'),
  text('card_hash'),
  text('kind'),
  text('origin'),
  text('task'),
  text('ending'),
  number('time'),
  number('added'),
  number('seconds'),
  new Field('grade', new Float64(), true),
  text('outcome'),
  new Field('model', new Utf8(), true),
  new Field('vector', new Binary(), true),
])

/** What sources say of language models, a row per source. No head names its versions: rows of sources that the head does not know do not count. */
export const modelsTable = 'models'

/** `list` is JSON; `vectors` are those of the tasks of its outcomes by `model`, in 8 bits one after the other, both null without. */
export const modelsSchema = new Schema([
  text('source'),
  text('list'),
  new Field('model', new Utf8(), true),
  new Field('vectors', new Binary(), true),
])

/** A row of the meta table. */
export type MetaRow = { readonly key: string; readonly value: string }

export const headKey = 'head'

/**
 * One committed state of the catalog: a version of every table, and the states of sources. Writing this row is the commit, and whoever
 * writes it says which head it takes the place of.
 */
export type StoreHead = {
  /** Random: names the commit. Empty in a head of layout 1. */
  readonly commit: string
  /** Layout of the store; a newer one is refused. */
  readonly layout: number
  /** Random: a store that was made anew in the same folder is another one, though its generations look alike. */
  readonly store: string
  readonly generation: number
  /** Version of the search images: those of another Audition are made anew. */
  readonly image: string
  /** SHA-256 of the search images, by which copies of them are known; none of a kind that an older Audition wrote. */
  readonly digests?: { readonly [kind in CardKind]?: string }
  /** Version per table. */
  readonly versions: { readonly [table: string]: number }
  /** What a table is called in the store, where that is not its name: at an address every commit makes tables of its own. */
  readonly names: { readonly [table: string]: string }
  /** What the keys of the states of sources and of their reviews begin with, see {@link statePrefix}. */
  readonly state: string
  /** How many there are; null in a head of layout 1. */
  readonly states: { readonly sources: number; readonly reviews: number } | null
  readonly tools: number
  readonly agents: number
  /** The model of the vectors, or null without vectors. */
  readonly embedding: HeadEmbedding | null
  /** The last commits, this one first. */
  readonly recent: readonly RecentCommit[]
  /** Of a store in an engine: which rows count. */
  readonly engine?: EngineState
  /** What earlier heads named, and when (ISO 8601) a commit took its place: it is kept for a while, at an address. */
  readonly retired: readonly { readonly name: string; readonly at: string }[]
}

/**
 * Which rows of an engine's tables count: it keeps no versions that a head could name. A commit has a number, and a row those of the
 * commits that it came and went with.
 */
export type EngineState = {
  /** Number of the last commit, 0 before the first. */
  readonly at: number
  /** Numbers of commits that were given up half done, and when that was found (ISO 8601): what they wrote never counts. */
  readonly dead: readonly { readonly number: number; readonly found: string }[]
  /** Commits of the last day, one of each hour at most, and one before: by when rows that went with one may be forgotten (ISO 8601). */
  readonly landed: readonly { readonly number: number; readonly at: string }[]
  /** Who commits now, by a random name, and how often they have shown that they live. */
  readonly claim: { readonly number: number; readonly by: string; readonly beat: number } | null
}

type HeadEmbedding = VectorShape & {
  readonly model: string
  /** Kinds of which there are more cards than the model reads: their vectors have the first part alone. Absent: none. */
  readonly unread?: readonly CardKind[]
}

/** A commit, and the sources it changed; null: more than are worth a list. */
export type RecentCommit = { readonly commit: string; readonly sources: readonly string[] | null }

/** The states in a store of layout 1: they stood beside the head, and were written over. */
export const stateOfLayout1 = 'state'

/** What the keys of states begin with. */
export const statePrefix = (state: string): string => (state === stateOfLayout1 ? '' : `${state}/`)

/**
 * 2: the head names the states, and the tables where they have names of their own. 3: JSON carries a checksum, see `sealed-json.ts`. 4: vectors
 * may be of several parts. 5: an image may name segments, which lie in tables of their own.
 */
export const storeLayout = 5

/** The value of a quoted SQL string. */
export const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** The SQL for one of so many strings. */
export const among = (values: readonly string[]): string => `IN (${values.map(quoted).join(', ')})`

/** Values in one condition: enough to be fast, few enough for Ctrl-C and memory. */
const valuesAtOnce = 500

/** SQL conditions, as many as it takes, for rows whose column has one of so many strings. */
export const conditionsFor = (column: 'id' | 'source', values: readonly string[]): readonly string[] =>
  Array.from(batches(values, valuesAtOnce), (batch) => `${column} ${among(batch)}`)
