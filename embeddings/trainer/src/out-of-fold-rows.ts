import { readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { foldEmbedding } from './fold-embedding.ts'
import { packRows, unpackRows } from './ranker/packed-rows.ts'
import type { GradedQuery } from './ranker/ranked-corpus.ts'
import { rankerRows } from './ranker/ranker-rows.ts'
import { verdictRows } from './ranker/verdict-rows.ts'
import type { OutOfFoldReadings, Readings } from './reading/readings.ts'
import type { Training } from './training.ts'

/** Queries with their candidates, each by an embedding that has not seen them. */
export type OutOfFoldRows = {
  readonly forRanker: readonly GradedQuery[]
  /** Of many sorts, to tell how sure answers are. */
  readonly forVerdict: readonly GradedQuery[]
}

/**
 * Rows from every fold. Each fold's are kept once they are done.
 *
 * @param readings - null for a ranker that knows nothing of readings
 */
export async function outOfFoldRows(
  training: Training,
  readings: OutOfFoldReadings | null,
): Promise<OutOfFoldRows> {
  const { work, folds, recipe, onProgress } = training
  const forRanker: GradedQuery[] = []
  const forVerdict: GradedQuery[] = []
  const sort = readings === null ? '' : `reading-${readings.fingerprint}-`
  for (let fold = 0; fold < folds.count; fold += 1) {
    const number = `${fold + 1} of ${folds.count}`
    const file = work.file(`${sort}rows-${fold + 1}.checkpoint`)
    const verdictFile = work.file(`${sort}verdict-rows-${fold + 1}.checkpoint`)
    const [before, verdictBefore] = [await readCheckpoint(file), await readCheckpoint(verdictFile)]
    if (before !== null && verdictBefore !== null) {
      forRanker.push(...unpackRows(before))
      forVerdict.push(...unpackRows(verdictBefore))
      continue
    }
    const embedding = await foldEmbedding(training, fold)
    if (readings) await work.timed('readings', () => readCards(training, fold, readings))
    const input = {
      ...training,
      fold,
      embedding,
      readings,
      most: { perCorpus: recipe.rankerQueries, perFamily: recipe.rankerFamilyQueries },
    }
    const tell = (what: string) => (share: number) =>
      onProgress({ stage: 'rows', what: `${what} of fold ${number}`, share })
    const rows = await work.timed('rows', () => rankerRows({ ...input, onProgress: tell('candidates') }))
    const verdicts = await work.timed('rows', () => verdictRows({ ...input, onProgress: tell('verdicts') }))
    await writeCheckpoint(verdictFile, packRows(verdicts))
    await writeCheckpoint(file, packRows(rows))
    forRanker.push(...rows)
    forVerdict.push(...verdicts)
  }
  return { forRanker, forVerdict }
}

/** Reads the cards among which queries of a fold are asked, each by the readers that have not seen these queries' families. */
async function readCards(
  { corpora, folds, signal, onProgress }: Training,
  fold: number,
  readings: OutOfFoldReadings,
): Promise<void> {
  const kinds = new Map<Readings, Set<string | undefined>>()
  for (const [place, { family, cards, queries }] of corpora.entries()) {
    if (!queries.some(({ text }) => folds.ofQuery(place, text) === fold)) continue
    const own = readings.of(family)
    kinds.set(own, (kinds.get(own) ?? new Set()).add(cards[0]?.kind))
  }
  for (const [own, asked] of kinds) {
    const cards = corpora.flatMap((corpus) => (asked.has(corpus.cards[0]?.kind) ? corpus.cards : []))
    const what = `cards for fold ${fold + 1} of ${folds.count}`
    await own.prepare(cards, {
      signal,
      onProgress: (share) => onProgress({ stage: 'readings', what, share }),
    })
  }
}
