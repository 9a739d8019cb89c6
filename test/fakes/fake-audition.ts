import { type HttpGuard, httpGuard } from '../../src/adapters/http/guarded-fetch.ts'
import type { Audition } from '../../src/compose/audition.ts'
import type { AgentCard, Card, CardKind, ToolCard } from '../../src/domain/card.ts'
import { briefOutcome, type Outcome } from '../../src/domain/outcome.ts'
import type { Evaluations } from '../../src/evaluation/evaluations.ts'
import type { Probing } from '../../src/probing/run/probing.ts'
import type { ScoredCard, SearchAnswer, SearchRequest } from '../../src/retrieval/answer.ts'
import type { CardFilter } from '../../src/retrieval/index/card-filter.ts'
import { type SourceReview, placesIn } from '../../src/store/source-review.ts'
import { NoIndexError } from '../../src/retrieval/ports.ts'
import { scriptedAudition } from './scripted-audition.ts'

/** What a test sees of the fake besides its answers. */
export type FakeAudition = Audition & {
  /** Requests that search was asked, in order. */
  readonly searches: SearchRequest[]
  /** How often anything was asked at all: nothing may be before the first call of a tool. */
  readonly calls: { count: number }
  readonly closed: { value: boolean }
  /** Searches that were given up by their caller. */
  readonly aborted: { count: number }
}

/** What a test may set. */
export type FakeOptions = {
  /** Nothing was ever indexed. */
  readonly empty?: boolean
  /** Every search takes so long, in milliseconds. */
  readonly delayMs?: number
  /** Every search fails so. */
  readonly failure?: Error
  /** Fields that replace those of every answer. */
  readonly answer?: Partial<SearchAnswer>
  /** What evaluates; absent, asking for it fails the test. */
  readonly evaluations?: Evaluations
  /** What happened when candidates were run, newest first. @defaultValue nothing */
  readonly outcomes?: readonly Outcome[]
  /** What runs candidates; absent, asking for it fails the test. */
  readonly probing?: Probing
  /** What is held of sources. @defaultValue nothing */
  readonly reviews?: readonly SourceReview[]
  /** The way to the network. @defaultValue a guard without private hosts */
  readonly guard?: HttpGuard
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

/** A {@link scriptedAudition} over a few cards: search counts common words. */
export function fakeAudition(cards: readonly Card[], options: FakeOptions = {}): FakeAudition {
  const { evaluations, probing, outcomes = [] } = options
  const searches: SearchRequest[] = []
  const calls = { count: 0 }
  const closed = { value: false }
  const aborted = { count: 0 }
  const open = () => {
    calls.count += 1
    if (options.empty === true) throw new NoIndexError()
  }
  const unexpected = (): never => {
    throw new Error('The test did not expect this call.')
  }
  const audition = scriptedAudition({
    async search(request, signal) {
      open()
      searches.push(request)
      if (options.failure !== undefined) throw options.failure
      if (options.delayMs !== undefined) {
        signal?.addEventListener('abort', () => {
          aborted.count += 1
        })
        await waited(options.delayMs, signal)
      }
      return { ...found(cards, request), ...options.answer }
    },
    async cards(ids) {
      open()
      return ids.flatMap((id) => cards.filter((card) => card.id === id))
    },
    async closestIds(id, limit, kind) {
      open()
      const wanted = new Set(wordsOf(id))
      return ofKind(cards, kind)
        .map((card) => ({ id: card.id, common: wordsOf(card.id).filter((word) => wanted.has(word)).length }))
        .filter(({ common }) => common > 0)
        .sort((a, b) => b.common - a.common)
        .slice(0, limit)
        .map((one) => one.id)
    },
    async unknownValues(filter) {
      open()
      const known = {
        servers: cards.flatMap((card) => (card.kind === 'tool' ? (card.server ?? []) : [])),
        tags: cards.flatMap(({ tags }) => tags),
      }
      return (['servers', 'tags'] as const).flatMap((name) => {
        const values = [...new Set(known[name])].sort()
        const unknown = (filter[name] ?? []).filter((value) => !values.includes(value))
        return unknown.length === 0 ? [] : [{ filter: name, unknown, known: values }]
      })
    },
    async completeIds(prefix, limit, kind) {
      open()
      const wanted = prefix.toLowerCase()
      const ids = ofKind(cards, kind).map(({ id }) => id)
      const isStart = (id: string): boolean => id.toLowerCase().startsWith(wanted)
      const holds = (id: string): boolean => !isStart(id) && id.toLowerCase().includes(wanted)
      return [...ids.filter(isStart), ...ids.filter(holds)].slice(0, limit)
    },
    async counts() {
      open()
      return {
        tools: ofKind(cards, 'tool').length,
        agents: ofKind(cards, 'agent').length,
        generation: 1,
      }
    },
    async sources() {
      open()
      return [...new Set(cards.map(({ source }) => source))].map((id) => {
        const own = cards.filter(({ source }) => source === id)
        return {
          id,
          location: `/home/someone/${id}.json`,
          reader: 'fake',
          indexedAt: null,
          tools: ofKind(own, 'tool').length,
          agents: ofKind(own, 'agent').length,
          problems: [],
        }
      })
    },
    ...(evaluations === undefined ? {} : { evaluations: async () => evaluations }),
    ...(probing === undefined ? {} : { probing: async () => probing }),
    record: async () => ({
      list: async () => outcomes,
      brief: async () => outcomes.map(briefOutcome),
      add: unexpected,
      requireWritable: unexpected,
      replace: unexpected,
      forget: unexpected,
      close: unexpected,
    }),
    reranker: async () => null,
    guardedFetch: (options.guard ?? httpGuard()).fetch,
    reviews: async () => options.reviews ?? [],
    places: async () => placesIn(options.reviews ?? []),
    async close() {
      closed.value = true
    },
  })
  return { ...audition, searches, calls, closed, aborted }
}

const ofKind = (cards: readonly Card[], kind: CardKind | undefined): readonly Card[] =>
  cards.filter((card) => kind === undefined || card.kind === kind)

function found(cards: readonly Card[], { kind, query, k = 5, filter = {} }: SearchRequest): SearchAnswer {
  const admitted = ofKind(cards, kind).filter((card) => admits(filter, card))
  const wanted = [...new Set(wordsOf(query))]
  const candidates: ScoredCard[] = admitted
    .map((card) => {
      const has = new Set(wordsOf(`${card.name} ${card.description}`))
      const matched = wanted.filter((word) => has.has(word))
      const coverage = matched.length / Math.max(1, wanted.length)
      return {
        card,
        score: coverage,
        signals: {
          coverage,
          matched,
          facets: [],
          duplicates: [],
          ...(coverage > 0 ? { lexical: coverage * 9 } : {}),
        },
      }
    })
    .sort((a, b) => b.score - a.score || (a.card.id < b.card.id ? 1 : -1))
    .slice(0, k)
  const best = candidates[0]?.score ?? 0
  const match = best >= 0.5 ? 'good' : best > 0 ? 'weak' : 'none'
  return {
    kind,
    candidates,
    match,
    note: match === 'good' ? '' : `No ${kind} shares enough words with the query.`,
    facets: [query],
    searched: admitted.length,
    ranker: 'lexical',
    generation: 1,
  }
}

function admits(filter: CardFilter, card: Card): boolean {
  const among = (list: readonly string[] | undefined, values: readonly string[]) =>
    list === undefined || list.some((one) => values.includes(one))
  return (
    among(filter.sources, [card.source]) &&
    among(filter.tags, card.tags) &&
    (card.kind === 'agent' ? among(filter.agentKinds, [card.agentKind]) : true) &&
    (card.kind === 'tool' ? among(filter.servers, [card.server ?? '']) : true) &&
    (filter.hasRuntime !== true || card.runtime !== undefined) &&
    (filter.readOnly !== true || (card.kind === 'tool' && card.annotations?.readOnly === true)) &&
    !(filter.exclude ?? []).includes(card.id)
  )
}

function waited(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new Error('aborted'))
    })
  })
}

/** A tool card with usual values. */
export const toolCard = (
  id: string,
  fields: Partial<Omit<ToolCard, 'id' | 'kind' | 'source'>> = {},
): ToolCard => ({
  kind: 'tool',
  id,
  source: id.slice(0, id.indexOf('/')),
  name: id.slice(id.indexOf('/') + 1),
  description: `Does ${id}`,
  examples: [],
  tags: [],
  parameters: [],
  provenance: { reader: 'fake', location: '/home/someone/cards.json' },
  ...fields,
})

/** An agent card with usual values. */
export const agentCard = (
  id: string,
  fields: Partial<Omit<AgentCard, 'id' | 'kind' | 'source'>> = {},
): AgentCard => ({
  kind: 'agent',
  agentKind: 'profile',
  id,
  source: id.slice(0, id.indexOf('/')),
  name: id.slice(id.indexOf('/') + 1),
  description: `Does ${id}`,
  examples: [],
  tags: [],
  backbone: null,
  tools: [],
  policy: {},
  provenance: { reader: 'fake', location: '/home/someone/cards.json' },
  ...fields,
})
