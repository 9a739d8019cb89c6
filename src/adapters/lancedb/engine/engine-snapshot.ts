import type { Query, Table, VectorQuery } from '@lancedb/lancedb'
import type { Table as ArrowTable } from 'apache-arrow'
import { contentHash } from '../../../catalog/identity.ts'
import type { Card, CardKind } from '../../../domain/card.ts'
import { namedValues } from '../../../retrieval/index/card-columns.ts'
import {
  type CardIndex,
  englishTextsOf,
  openCardIndex,
  packCardIndex,
} from '../../../retrieval/index/card-index.ts'
import type { TokensOf } from '../../../retrieval/index/card-tokens.ts'
import { type CatalogCounts, catalogCounts } from '../../../retrieval/index/catalog-counts.ts'
import { quantisedVectors } from '../../../retrieval/index/quantised-vectors.ts'
import type { CatalogSnapshot, EngineRequest } from '../../../retrieval/ports.ts'
import { type Standings, standingsOf } from '../../../trust/standing.ts'
import { roundedOfBytes } from '../../../vectors/rounded-vector.ts'
import { cardIn, cardsByIds, hashesByIds } from '../card-rows.ts'
import { readStates } from '../head.ts'
import type { StoreAtHead } from '../connection.ts'
import { lancedb } from '../native.ts'
import { cardKinds, cardTables, type EngineState, type StoreHead, imagesTable, quoted } from '../schemas.ts'
import { readingStore } from '../store-location.ts'
import { askingFor } from '../engine-connection.ts'
import { nearest } from './engine-indexes.ts'
import { packedSums } from './engine-kind.ts'
import { countingAt, filterSql, searchedLength, tableAt } from './engine-rows.ts'

/** Candidates that the engine gives by words, and by each vector. Half as many cost 0.6 points of nDCG@10 over 12,222 tools, these 0.2. */
const wordDepth = 400
export const vectorDepth = 300

/** A kind of cards at a state of the store. */
type EngineKind = {
  readonly kind: CardKind
  readonly table: Table
  readonly facts: CatalogCounts
  readonly values: CardIndex['values']
}

/** A row that was read, kept for the next search that finds it: a card that changes is another row. */
type KnownRow = { readonly card: Card; readonly rounded: Uint8Array | null }
const mostKnown = 20_000

/** Opens one state of a catalog in an engine: what is known of all cards is read, none of the cards. */
export async function openEngineSnapshot(store: StoreAtHead, meta: Table): Promise<CatalogSnapshot> {
  const { location, head } = store
  const state = head.engine!
  const standingOf = standingsOf((await readStates(meta, head)).sources)
  const [tool, agent] = await Promise.all([openKind(store, 'tool'), openKind(store, 'agent')])
  const kinds = { tool, agent }
  const reader = new RowReader(head, state)
  const packed = (of: CatalogOf): CatalogSnapshot => catalogOf(of, { head, kinds, standingOf })
  const reading = <T>(read: () => Promise<T>): Promise<T> =>
    readingStore(location, () => askingFor(location, '/query/', read))
  const ofBoth = <T>(ask: (kind: EngineKind) => Promise<readonly T[]>): Promise<readonly T[]> =>
    reading(async () => (await Promise.all(cardKinds.map((kind) => ask(kinds[kind])))).flat())
  const empty = packed({ rows: { tool: [], agent: [] } })

  return {
    ...empty,
    // Of no cards, with the servers and tags that there are.
    indexes: {
      tool: { ...empty.indexes.tool, values: tool.values },
      agent: { ...empty.indexes.agent, values: agent.values },
    },
    async cards(ids) {
      if (ids.length === 0) return []
      const found = await ofBoth(({ table }) => cardsByIds(tableAt(table, state), ids))
      const byId = new Map(found.map((card) => [card.id, card]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
    hashes: async (ids) => new Map(await ofBoth(({ table }) => hashesByIds(tableAt(table, state), ids))),
    engine: {
      among: (wanted) =>
        reading(async () => {
          const rows = await candidateRows(wanted, { kinds, reader })
          return packed({ rows, tokensOf: wanted.tokensOf })
        }),
      whole: (tokensOf) =>
        reading(async () => {
          const [tools, agents] = await Promise.all(
            cardKinds.map((kind) => reader.read(kinds[kind].table.query())),
          )
          return packed({ rows: { tool: tools!, agent: agents! }, tokensOf })
        }),
      async ids({ kind, limit, ...wanted } = {}) {
        const where = idCondition(wanted)
        const found = await ofBoth(async (one) => {
          if (kind !== undefined && one.kind !== kind) return []
          const query = tableAt(one.table, state, where).query().select(['id'])
          const rows = await (limit === undefined ? query : query.limit(limit)).toArrow()
          return [...(rows.getChild('id') ?? [])] as string[]
        })
        return [...found].sort((a, b) => (a < b ? -1 : 1))
      },
    },
  }
}

async function openKind({ connection, head }: StoreAtHead, kind: CardKind): Promise<EngineKind> {
  const [table, sums] = await Promise.all([
    connection.openTable(head.names[cardTables[kind]]!),
    packedSums(connection, head.names[imagesTable]!, kind),
  ])
  if (sums === null) throw new Error(`what is known of its ${kind}s is gone`)
  const facts = catalogCounts(sums)
  return { kind, table, facts, values: namedValues(facts) }
}

type IdsAsked = NonNullable<Parameters<NonNullable<CatalogSnapshot['engine']>['ids']>[0]>

/** Ids of a source, or by what they hold or begin with, in any case. */
function idCondition({
  source,
  holding,
  beginning,
}: Pick<IdsAsked, 'source' | 'holding' | 'beginning'>): string {
  const where = [
    ...(source === undefined ? [] : [`source = ${quoted(source)}`]),
    ...(holding === undefined ? [] : [`contains(lower(id), ${quoted(holding.toLowerCase())})`]),
    ...(beginning === undefined ? [] : [`starts_with(lower(id), ${quoted(beginning.toLowerCase())})`]),
  ]
  return where.join(' AND ') || 'true'
}

/** Rows of a catalog that is packed for one search, or as a whole. */
type CatalogOf = {
  readonly rows: { readonly [kind in CardKind]: readonly KnownRow[] }
  readonly tokensOf?: TokensOf | undefined
}

type Known = {
  readonly head: StoreHead
  readonly kinds: { readonly [kind in CardKind]: EngineKind }
  readonly standingOf: Standings
}

function catalogOf({ rows, tokensOf }: CatalogOf, { head, kinds, standingOf }: Known): CatalogSnapshot {
  const { embedding } = head
  const parts = embedding && (embedding.parts ?? [embedding.dimensions])
  const indexOf = (kind: CardKind): CardIndex => {
    const { facts } = kinds[kind]
    const vectors = embedding && quantisedVectors(embedding.dimensions, parts!)
    for (const { card, rounded } of rows[kind])
      if (rounded !== null) vectors?.addRounded(card.id, roundedOfBytes(rounded, parts!))
    const cards = rows[kind].map(({ card }) => card)
    const image = packCardIndex(cards, {
      vectors,
      tokensOf: tokensOf ?? null,
      standingOf,
      catalog: facts,
      textsOf: keptTexts,
    })
    return openCardIndex(image, facts)!
  }
  const byId = new Map(Object.values(rows).flatMap((own) => own.map(({ card }) => [card.id, card] as const)))
  return {
    generation: head.generation,
    embedding,
    indexes: { tool: indexOf('tool'), agent: indexOf('agent') },
    cards: async (ids) => ids.flatMap((id) => byId.get(id) ?? []),
    hashes: async (ids) =>
      new Map(ids.flatMap((id) => byId.get(id) ?? []).map((card) => [card.id, contentHash(card)])),
  }
}

/** Texts of cards that are kept; they go with them. */
const kept = new WeakMap<Card, ReturnType<typeof englishTextsOf>>()

function keptTexts(card: Card): ReturnType<typeof englishTextsOf> {
  const texts = kept.get(card) ?? englishTextsOf(card)
  kept.set(card, texts)
  return texts
}

/** Asks for all candidates of a search: by words and by vectors, for an agent also the tools that speak for it. */
async function candidateRows(
  { kind, filter = {}, terms, vectors }: EngineRequest,
  { kinds, reader }: { readonly kinds: Known['kinds']; readonly reader: RowReader },
): Promise<CatalogOf['rows']> {
  const byWords = (of: CardKind, where: string) =>
    terms.length === 0 || kinds[of].facts.cards === 0
      ? []
      : [reader.read(kinds[of].table.query().fullTextSearch(wordQuery(terms)).where(where).limit(wordDepth))]
  const byVectors = (of: CardKind, where: string) =>
    vectors.length === 0 || kinds[of].facts.cards === 0
      ? []
      : [reader.read(nearest(kinds[of].table, reader.searched(vectors)).where(where).limit(vectorDepth))]
  const where = filterSql(filter, kinds[kind])
  const own = Promise.all([...byWords(kind, where), ...byVectors(kind, where)])
  // Whose tool serves is told by either; one request is enough for it.
  const lifting =
    kind === 'tool' ? [] : vectors.length > 0 ? byVectors('tool', 'true') : byWords('tool', 'true')
  const [found, tools] = await Promise.all([own, Promise.all(lifting)])
  const rows = distinct(found.flat())
  return kind === 'tool' ? { tool: rows, agent: [] } : { tool: distinct(tools.flat()), agent: rows }
}

const distinct = (rows: readonly KnownRow[]): readonly KnownRow[] => [
  ...new Map(rows.map((row) => [row.card.id, row])).values(),
]

const wordQuery = (terms: readonly string[]) => new lancedb.MatchQuery(terms.join(' '), 'words')

/** Reads rows that count, and keeps what they hold. */
class RowReader {
  readonly #head: StoreHead
  readonly #counting: string
  readonly #known = new Map<string, KnownRow>()

  constructor(head: StoreHead, state: EngineState) {
    this.#head = head
    this.#counting = countingAt(state)
  }

  /** The part of vectors that the engine searches. */
  searched(vectors: readonly Float32Array[]): readonly Float32Array[] {
    const { embedding } = this.#head
    return vectors.map((vector) => vector.subarray(0, searchedLength(embedding!)))
  }

  async read(query: Query | VectorQuery): Promise<readonly KnownRow[]> {
    const columns = ['row', 'card', ...(this.#head.embedding ? ['rounded'] : [])]
    return this.#rowsOf(await query.where(this.#counting).select(columns).toArrow())
  }

  #rowsOf(rows: ArrowTable): readonly KnownRow[] {
    const column = (name: string) => rows.getChild(name)
    const [keys, cards, rounded] = [column('row'), column('card'), column('rounded')]
    if (this.#known.size + rows.numRows > mostKnown) this.#known.clear()
    return Array.from({ length: rows.numRows }, (_, at) => {
      const key = keys!.get(at) as string
      const known = this.#known.get(key) ?? {
        card: cardIn(cards!.get(at) as string),
        rounded: copyOf(rounded?.get(at) as Uint8Array | null | undefined),
      }
      this.#known.set(key, known)
      return known
    })
  }
}

/** What is read lies in the memory of the whole answer. */
const copyOf = (bytes: Uint8Array | null | undefined): Uint8Array | null =>
  bytes ? new Uint8Array(bytes) : null
