import { answerFeatureNames, readerAnswerFeatureNames } from '../../../src/retrieval/rank/answer-features.ts'
import { type BoostedTrees, boostedTrees } from '../../../src/retrieval/rank/boosted-trees.ts'
import { featureNames, readerFeatureNames } from '../../../src/retrieval/rank/candidate-features.ts'
import { packTrees } from '../../../src/retrieval/rank/packed-trees.ts'
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import type { ModelCard } from './model/model-card.ts'
import type { PackedRanker } from './model/write-model.ts'
import { type OutOfFoldRows, outOfFoldRows } from './out-of-fold-rows.ts'
import type { GradedQuery } from './ranker/ranked-corpus.ts'
import { trainAnswers } from './ranker/train-answers.ts'
import { trainRanker } from './ranker/train-ranker.ts'
import type { OutOfFoldReadings } from './reading/readings.ts'
import type { Training } from './training.ts'

/** A ranker with what tells whether anything serves, and what a model card says of them. */
export type TrainedRanking = Pick<ModelCard, 'answers'> & {
  readonly packed: PackedRanker
  readonly ranker: NonNullable<ModelCard['ranker']>
}

/** What a ranker knows, of candidates and of whole answers. */
const featuresOf = {
  retrieved: { candidates: featureNames, answers: answerFeatureNames },
  read: { candidates: readerFeatureNames, answers: readerAnswerFeatureNames },
} as const

/**
 * The ranker of a training, from rows of all folds; kept once it is trained.
 *
 * @param readings - null for a ranker that knows nothing of readings
 */
export async function trainRanking(
  training: Training,
  readings: OutOfFoldReadings | null,
): Promise<TrainedRanking> {
  const file = training.work.file(
    readings === null ? 'ranking.checkpoint' : `reading-${readings.fingerprint}-ranking.checkpoint`,
  )
  const before = await readCheckpoint(file)
  if (before !== null) return unpacked(before.facts.ranking as unknown as KeptRanking)
  const rows = await outOfFoldRows(training, readings)
  const trained = await trainedOn(rows, training, readings === null ? 'retrieved' : 'read')
  await writeCheckpoint(file, { facts: { ranking: JSON.parse(JSON.stringify(kept(trained))) }, arrays: {} })
  return trained
}

async function trainedOn(
  { forRanker, forVerdict }: OutOfFoldRows,
  { work, recipe, seed, signal, onProgress }: Training,
  sort: keyof typeof featuresOf,
): Promise<TrainedRanking> {
  const { candidates, answers: ofAnswers } = featuresOf[sort]
  const what = sort === 'read' ? 'ranker with readings' : 'ranker'
  const train = (rows: readonly GradedQuery[], onTree = (_: { readonly tree: number }): void => {}) =>
    trainRanker(rows, { features: candidates, recipe: recipe.ranker, seed, signal, onTree })
  const ranker = await work.timed('ranker', () => {
    const report = (share: number): void => onProgress({ stage: 'ranker', what, share })
    report(0)
    return train(forRanker, ({ tree }) => report(tree / recipe.ranker.trees))
  })
  /** One that has seen nothing of some families; null when no other is left. */
  const rankerWithout = async (families: ReadonlySet<string>): Promise<BoostedTrees | null> => {
    const others = forRanker.filter(({ asked }) => !families.has(asked.family))
    const some = others.filter((_, place) => place % withoutStride === 0)
    return some.length === 0 ? null : boostedTrees((await train(some)).model)
  }
  const answers = await work.timed('answers', () => {
    onProgress({ stage: 'answers', what: sort === 'read' ? 'answers with readings' : 'answers', share: 0 })
    return trainAnswers([...forRanker, ...forVerdict], {
      ranker: boostedTrees(ranker.model),
      rankerWithout,
      features: ofAnswers,
      seed,
      signal,
    })
  })
  return {
    packed: {
      bytes: packTrees(ranker.model),
      calibration: ranker.calibration,
      answers: answers && { bytes: answers.bytes, thresholds: answers.thresholds },
    },
    ranker: {
      trees: ranker.trees,
      queries: ranker.queries,
      rows: ranker.rows,
      heldOutNdcg10: ranker.validation,
    },
    answers: answers && { trees: answers.trees, queries: answers.queries, leftOut: answers.leftOut },
  }
}

/** One query of so many trains the rankers that only tell how sure answers are. */
const withoutStride = 2

/** As it is kept: bytes in base64. */
type KeptRanking = Omit<TrainedRanking, 'packed'> & {
  readonly packed: Omit<PackedRanker, 'bytes' | 'answers'> & {
    readonly bytes: string
    readonly answers:
      | (Omit<NonNullable<PackedRanker['answers']>, 'bytes'> & { readonly bytes: string })
      | null
  }
}

const kept = ({ packed, ...fields }: TrainedRanking): KeptRanking => {
  const { bytes, answers } = packed
  const text = (own: Uint8Array): string => Buffer.from(own).toString('base64')
  return {
    ...fields,
    packed: { ...packed, bytes: text(bytes), answers: answers && { ...answers, bytes: text(answers.bytes) } },
  }
}

const unpacked = ({ packed, ...fields }: KeptRanking): TrainedRanking => {
  const { bytes, answers } = packed
  const own = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'))
  return {
    ...fields,
    packed: { ...packed, bytes: own(bytes), answers: answers && { ...answers, bytes: own(answers.bytes) } },
  }
}
