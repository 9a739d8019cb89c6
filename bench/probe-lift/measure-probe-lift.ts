import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { McpHarvester } from '../../src/catalog/ports.ts'
import type { Card } from '../../src/domain/card.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { retrievalDefaults } from '../../src/retrieval/search/retrieve.ts'
import { conditionOf, mixedConditionOf } from './conditions.ts'
import { faultFindings } from './fault-findings.ts'
import { liftQueries } from './lift-queries.ts'
import { liftRankings } from './lift-rankings.ts'
import type { KnownAnswers } from './probe-by-source.ts'
import type { ProbeLiftReport } from './report.ts'
import { variantCards, variantServers } from './variant-cards.ts'
import { readVariants, sound } from './variants/variants.ts'

/** What the measurement works with. */
type ProbeLiftDependencies = {
  /** The package's folder: the requests lie under `evals`, the variants under `bench`. */
  readonly root: string
  readonly harvester: McpHarvester
  readonly prober: VariantProber
  /** Null searches by words alone. */
  readonly model: EmbeddingModel | null
}

/** Runs tools on tasks with known answers, and judges them. */
export type VariantProber = (
  cards: readonly Card[],
  /** Tasks per card. Integer >= 1 */
  count: number,
  options: { readonly signal: AbortSignal; onProbe(done: number, total: number): void },
) => Promise<KnownAnswers>

export type ProbeLiftOptions = {
  /** Bundled servers by name, `calendar`; empty takes all. @defaultValue [] */
  readonly servers?: readonly string[]
  /** Probes per candidate that are compared, ascending, integers >= 1. @defaultValue [1, 3, 5] */
  readonly probes?: readonly number[]
  /** What the track record weighs in search, >= 0; see `WeighSettings`. @defaultValue as search has it */
  readonly recordWeight?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ProbeLiftProgress) => void
}

export type ProbeLiftProgress = {
  readonly step: 'servers' | 'probes' | 'searches'
  readonly done: number
  readonly total: number
}

/** Candidates of a query that are probed: more than anybody reads. */
const shortlist = 20
/** Probes per candidate where half of the candidates get none. */
const mixedProbes = 3

/**
 * Measures what probes add to search: variants of the bundled tools that say the same and answer differently are
 * searched, probed on tasks with known answers, and searched again with what the probes told. Every amount of probes is a
 * beginning of the same series, so that conditions differ by nothing else.
 *
 * @throws Error when no query is about the servers, or a task asks what a query asks
 * @throws HarvestError when a server does not start
 */
export async function measureProbeLift(
  { root, harvester, prober, model }: ProbeLiftDependencies,
  options: ProbeLiftOptions = {},
): Promise<ProbeLiftReport> {
  const { servers = [], probes = [1, 3, 5], signal = new AbortController().signal } = options
  const report = (step: ProbeLiftProgress['step'], done: number, total: number): void =>
    options.onProgress?.({ step, done, total })
  const folder = join(root, 'bench', 'probe-lift', 'variants')
  const variants = readVariants(join(folder, 'variants.tsv')).filter(
    ({ server }) => servers.length === 0 || servers.includes(server),
  )
  const queries = await liftQueries(join(root, 'evals', 'bundled'), variants)
  if (queries.length === 0) throw noQueries(servers)

  const entries = variantServers(join(folder, 'mcp.json'), servers)
  const cards: Card[] = []
  for (const [done, entry] of entries.entries()) {
    report('servers', done, entries.length)
    cards.push(...(await variantCards(entry, harvester, signal)))
  }
  const snapshot = await memorySnapshot(cards, model)
  const settings = {
    ...retrievalDefaults,
    ...(options.recordWeight === undefined ? {} : { recordWeight: options.recordWeight }),
  }
  const searches = 2 + probes.length
  let searched = 0
  const search = async (outcomes: readonly Outcome[]) => {
    report('searches', searched++, searches)
    return liftRankings({ snapshot, model, settings }, queries, outcomes, signal)
  }

  const alone = await search([])
  const listed = new Set(alone.rankings.flatMap((ranking) => ranking.slice(0, shortlist).map(({ id }) => id)))
  const candidates = cards.filter(({ id }) => listed.has(id))
  const { outcomes, tasks, seconds } = await prober(candidates, Math.max(...probes, mixedProbes), {
    signal,
    onProbe: (done, total) => report('probes', done, total),
  })
  refuseLeaks(
    queries.map(({ text }) => text),
    tasks,
  )
  const first = (count: number, ids: Iterable<string>): readonly Outcome[] =>
    [...ids].flatMap((id) => outcomes.get(id)?.slice(0, count) ?? [])

  const soundIds = new Set(variants.filter(({ fault }) => fault === sound).map(({ id }) => id))
  const known = { queries, soundIds, alone: alone.rankings, shortlist }
  const conditions = [conditionOf(known, 0, [], alone.rankings)]
  for (const count of probes) {
    const record = first(count, listed)
    conditions.push(conditionOf(known, count, record, (await search(record)).rankings))
  }
  const half = halfOf(listed)
  const halfRecord = first(mixedProbes, half)
  const mixed = mixedConditionOf(
    known,
    { probes: mixedProbes, probed: half, candidates: listed },
    halfRecord,
    (await search(halfRecord)).rankings,
  )
  return {
    catalog: {
      servers: entries.length,
      tools: variants.length,
      sound: soundIds.size,
      probed: candidates.length,
      shortlist,
    },
    ranker: alone.ranker,
    model: model?.id ?? null,
    recordWeight: settings.recordWeight,
    queries: queries.length,
    conditions,
    mixed,
    findings: faultFindings(variants, outcomes, probes),
    cost: { seconds, probes: [...outcomes.values()].reduce((sum, { length }) => sum + length, 0) },
  }
}

const noQueries = (servers: readonly string[]): Error =>
  new Error(`No query is about ${servers.join(', ')}. Name bundled servers: arithmetic, calendar, text.`)

/** A probe that asks a query would tell the answer key. */
function refuseLeaks(queries: readonly string[], tasks: readonly string[]): void {
  const asked = new Set(queries.map((text) => text.toLowerCase()))
  const leaked = tasks.find((text) => asked.has(text.toLowerCase()))
  if (leaked !== undefined)
    throw new Error(`A probe asks what a query asks: "${leaked}". Word the probe or the query differently.`)
}

/** Half of the ids, always the same ones, whatever order they come in: those whose hash is low. */
export function halfOf(ids: Iterable<string>): ReadonlySet<string> {
  const hashed = [...ids].map((id) => ({ id, hash: createHash('sha256').update(`half ${id}`).digest('hex') }))
  const ordered = hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1))
  return new Set(ordered.slice(0, Math.floor(ordered.length / 2)).map(({ id }) => id))
}
