import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Card } from '../../domain/card.ts'
import { rank, type Ranking } from '../../domain/ranking.ts'
import { type Dataset, DatasetError, type JudgedQuery } from '../datasets/dataset.ts'
import { readTrecRun, type Run, writableId } from './trec.ts'

/** A run that another system made. */
export type GivenRun = {
  /** For people: the name of its file. */
  readonly label: string
  readonly rankings: Run
}

/**
 * Reads a TREC run from a file, packed with gzip or not.
 *
 * @throws DatasetError when it cannot be read, or a line is wrong
 */
export async function readGivenRun(path: string): Promise<GivenRun> {
  const file = createReadStream(path)
  const text = path.endsWith('.gz') ? file.pipe(createGunzip()) : file
  const failed = new Promise<never>((_, reject) => {
    for (const stream of [file, text]) stream.on('error', reject)
  })
  try {
    const read = readTrecRun(createInterface({ input: text }), path)
    return { label: basename(path), rankings: await Promise.race([read, failed]) }
  } catch (cause) {
    if (cause instanceof DatasetError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatasetError(`${path}: cannot be read: ${reason}.`, 'Give a TREC run file.', { cause })
  } finally {
    file.destroy()
  }
}

/** The rankings of a given run in the ids of a dataset. */
export type GivenRankings = {
  /** Best first; empty for a query that the run does not have. */
  of(query: JudgedQuery): Ranking
  /** Queries that the run has, and that it lacks. */
  readonly found: number
  readonly missing: number
}

/**
 * Translates a run. A candidate goes by our card id, by that id as our own run files write it, or by the id that its
 * publisher gave it where only one card bears it. What no card bears stays as it is: it counts as not relevant.
 *
 * @throws DatasetError when it has no query of the dataset
 */
export function givenRankings({ label, rankings }: GivenRun, dataset: Dataset): GivenRankings {
  const cardId = cardIdsOf(dataset.parts.flatMap(({ cards }) => cards))
  const rankingOf = ({ id }: JudgedQuery): Ranking | undefined =>
    rankings.get(id) ?? rankings.get(writableId(id))
  const queries = dataset.parts.flatMap((part) => part.queries)
  const found = queries.filter((query) => rankingOf(query) !== undefined).length
  if (found === 0) {
    const [theirs = 'none'] = rankings.keys()
    throw new DatasetError(
      `${label} has no query of ${dataset.name}: its ids are like "${theirs}", those of the dataset like "${queries[0]?.id ?? ''}".`,
      'Give a run over these queries, under the ids of the dataset.',
    )
  }
  return {
    found,
    missing: queries.length - found,
    of: (query) => translated(rankingOf(query) ?? rank([]), cardId),
  }
}

/** Ids by which cards may be meant; those that mean several are left out. */
function cardIdsOf(cards: readonly Card[]): ReadonlyMap<string, string> {
  const own = new Map(cards.flatMap(({ id }) => [[writableId(id), id] as const, [id, id] as const]))
  const published = new Map<string, string | null>()
  for (const id of new Set(cards.map((card) => card.id))) {
    const key = id.slice(id.indexOf('/') + 1)
    published.set(key, published.has(key) ? null : id)
  }
  const unique = [...published].flatMap(([key, id]) => (id === null ? [] : [[key, id] as const]))
  return new Map([...unique, ...own])
}

/** In the order of the run, which other ids must not change: of equal scores the later is taken a hair lower. */
function translated(ranking: Ranking, cardId: ReadonlyMap<string, string>): Ranking {
  const seen = new Set<string>()
  let above = Number.POSITIVE_INFINITY
  const candidates = ranking.flatMap(({ id, score }) => {
    const known = cardId.get(id) ?? id
    if (seen.has(known)) return []
    seen.add(known)
    above = score < above ? score : above - Math.max(Math.abs(above) * 2 ** -50, Number.MIN_VALUE)
    return [{ id: known, score: above }]
  })
  return rank(candidates)
}

/** The same dataset, of whose queries only the first candidates of a run are ranked. Others keep no candidate. */
export function withFirstStage(dataset: Dataset, run: GivenRankings, depth: number): Dataset {
  const parts = dataset.parts.map((part) => ({
    ...part,
    queries: part.queries.map((query) => ({
      ...query,
      pool: run
        .of(query)
        .slice(0, depth)
        .map(({ id }) => id),
      poolOrder: 'ranked' as const,
    })),
  }))
  return { ...dataset, parts }
}
