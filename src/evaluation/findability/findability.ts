import { setImmediate } from 'node:timers/promises'
import type { Progress } from '../../domain/progress.ts'
import { countOf } from '../../domain/text/count-of.ts'
import type { HostRanker, SearchedTool } from '../host-rankers/host-ranker.ts'
import { type Confusion, confusionsOf } from './confusions.ts'
import { type Measured, measured, type ToolPlace, placesBy, type RankedList } from './places.ts'
import { type Attempt, type AttemptOutcome, suggestionsOf } from './suggest.ts'
import { fullNameOf, type ToolRequest } from './tool-requests.ts'
import type { Suggestion } from './try-text.ts'

/** What a caller asks. */
export type FindabilityRequest = {
  readonly tools: readonly SearchedTool[]
  /** Names of rankers. @defaultValue all */
  readonly hosts?: readonly string[]
  /** Tools of others, among which they are ranked. */
  readonly among: 'typical' | 'none' | readonly SearchedTool[]
  /** Requests that somebody wrote, or how many a language model writes of each tool. @defaultValue made of the tools' own words */
  readonly requests?: readonly ToolRequest[] | { readonly perTool: number }
  readonly signal?: AbortSignal
  readonly onProgress?: FindabilityGround['onProgress']
}

/** What is measured. */
export type FindabilityGround = {
  readonly tools: readonly SearchedTool[]
  /** Tools of others, among which the tools are ranked. */
  readonly among: readonly SearchedTool[]
  readonly rankers: readonly HostRanker[]
  readonly requests: readonly ToolRequest[]
  /** Whether somebody wrote the requests, a language model did, or they were made of the tools' own words. */
  readonly written: 'given' | 'by a model' | 'generated'
  readonly signal?: AbortSignal
  /** Told how many requests the hosts were asked; then other texts are tried, which asks some again. */
  readonly onProgress?: (progress: Progress) => void
}

/** Whether hosts find tools. Percentages are shares, 0 to 1. */
export type Findability = {
  readonly tools: readonly ToolFindability[]
  /** Tools of others that stood beside them. */
  readonly among: number
  readonly requests: { readonly count: number; readonly written: FindabilityGround['written'] }
  readonly hosts: readonly (Measured & { readonly name: string; readonly title: string })[]
  readonly confusions: readonly NamedConfusion[]
  readonly suggestions: readonly NamedSuggestion[]
  /** What became of the search for other texts, tool by tool; empty where requests were generated. */
  readonly attempts: readonly NamedAttempt[]
  readonly notes: readonly string[]
}

/** One tool, by each host; no figures where nothing was asked of it. */
export type ToolFindability = {
  readonly tool: string
  readonly requests: number
  readonly hosts: { readonly [name: string]: Measured & { readonly ranks: readonly (number | null)[] } }
}

type NamedConfusion = Omit<Confusion, 'tool' | 'rival'> & {
  readonly tool: string
  readonly rival: string
  readonly isOwn: boolean
}
type NamedSuggestion = Omit<Suggestion, 'tool' | 'helps'> & { readonly tool: string; readonly helps: string }

type NamedAttempt = Pick<Attempt, 'outcome'> & {
  readonly tool: string
  readonly best?: Omit<NonNullable<Attempt['best']>, 'tool' | 'helps'> & {
    readonly tool: string
    readonly helps: string
  }
}

/** Ranks each tool for its requests by each host's scoring, and says what is confused and what would help. */
export async function findability(ground: FindabilityGround): Promise<Findability> {
  const { tools, among, rankers, requests, written, signal } = ground
  const list: RankedList = { all: [...among, ...tools], others: among.length, onAsked: askedBy(ground) }
  const byRanker: { readonly ranker: HostRanker; readonly places: readonly ToolPlace[] }[] = []
  for (const ranker of rankers) {
    signal?.throwIfAborted()
    byRanker.push({ ranker, places: await placesBy(ranker, list, requests) })
  }
  const confusions = await confusionsOf(byRanker, list)
  signal?.throwIfAborted()
  const { suggestions, attempts } =
    written === 'generated'
      ? { suggestions: [], attempts: [] }
      : await suggestionsOf({ list, byRanker, confusions })
  const nameOf = (index: number) => fullNameOf(list.all[index]!)
  const ownName = (index: number) => nameOf(list.others + index)
  return {
    tools: tools.map((_, index) => ofTool(index, ownName(index), byRanker)),
    among: among.length,
    requests: { count: requests.length, written },
    hosts: byRanker.map(({ ranker: { name, title }, places }) => ({ name, title, ...measured(places) })),
    confusions: confusions.map(({ tool, rival, ...rest }) => ({
      tool: ownName(tool),
      rival: nameOf(rival),
      isOwn: rival >= list.others,
      ...rest,
    })),
    suggestions: suggestions.map(({ tool, helps, ...rest }) => ({
      tool: ownName(tool),
      helps: ownName(helps),
      ...rest,
    })),
    attempts: attempts.map(({ tool, best, ...rest }) => ({
      ...rest,
      tool: ownName(tool),
      ...(best === undefined
        ? {}
        : { best: { ...best, tool: ownName(best.tool), helps: ownName(best.helps) } }),
    })),
    notes: notesOf(ground, attempts),
  }
}

/** Milliseconds after which whoever else waits for the processor has his turn. */
const turnMs = 20

/** Asking is work of the processor alone: without turns nothing else would be answered, and nobody could stop it. */
function askedBy({ rankers, requests, signal, onProgress }: FindabilityGround): () => Promise<void> {
  const total = rankers.length * requests.length
  let done = 0
  let reportedShare = -1
  let last = performance.now()
  return async () => {
    done = Math.min(done + 1, total)
    if (performance.now() - last < turnMs) return
    const share = Math.floor((100 * done) / total)
    if (share > reportedShare) onProgress?.({ done, total })
    reportedShare = share
    await setImmediate()
    signal?.throwIfAborted()
    last = performance.now()
  }
}

type ByRanker = readonly { readonly ranker: HostRanker; readonly places: readonly ToolPlace[] }[]

function ofTool(index: number, tool: string, byRanker: ByRanker): ToolFindability {
  const own = byRanker.map(({ ranker, places }) => ({
    ranker,
    places: places.filter((place) => place.tool === index),
  }))
  const requests = own[0]?.places.length ?? 0
  return {
    tool,
    requests,
    hosts: Object.fromEntries(
      own
        .filter(({ places }) => places.length > 0)
        .map(({ ranker, places }) => [
          ranker.name,
          { ...measured(places), ranks: places.map(({ rank }) => rank) },
        ]),
    ),
  }
}

/** Why no other text is suggested, in the order in which they are told. */
const reasons: readonly (readonly [outcome: AttemptOutcome, why: string])[] = [
  ['found first', 'first already for all requests that are learnt from'],
  ['too few requests', 'fewer than two requests, so that none is left to measure on'],
  ['no words', 'no word lacking that two requests share, or that another tool has'],
  [
    'no gain',
    'a text was tried and did not help requests that it was not made of, or took as much from others',
  ],
  ['others are worse', 'not among the ten worst, which are looked at'],
]

function notesOf(
  { tools, requests, written }: FindabilityGround,
  attempts: readonly Attempt[],
): readonly string[] {
  const asked = new Set(requests.flatMap(({ tools: served }) => served))
  const silent = tools.length - asked.size
  return [
    ...(written === 'generated'
      ? [
          'The requests were generated from the tools’ own words: they are easier than what people ask. Write your own with --requests; suggestions need them.',
        ]
      : []),
    ...(silent === 0 ? [] : [`${countOf(silent, 'tool')} of ${tools.length}: nothing was asked of them.`]),
    ...reasons.flatMap(([outcome, why]) => {
      const count = attempts.filter((one) => one.outcome === outcome).length
      return count === 0 ? [] : [`No suggestion for ${countOf(count, 'tool')}: ${why}.`]
    }),
  ]
}
