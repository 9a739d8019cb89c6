import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packEmbedding, packInteraction } from '../../../../src/vectors/embedding/packed-embedding.ts'
import type { StaticWeights } from '../../../../src/vectors/embedding/static-embedding.ts'
import type { VerdictThresholds } from '../../../../src/retrieval/rank/verdict-thresholds.ts'
import type { Calibration } from '../ranker/calibrate.ts'
import type { ModelCard } from './model-card.ts'
import { modelReadme } from './model-readme.ts'

/** Names of the files of a model's folder. */
export const modelFiles = {
  model: 'model.json',
  weights: 'weights.bin',
  interaction: 'interaction.bin',
  ranker: 'ranker.bin',
  answers: 'answers.bin',
  readme: 'README.md',
} as const

type PackedAnswers = {
  readonly bytes: Uint8Array
  /** Absent in models that were trained before there were any. */
  readonly thresholds?: VerdictThresholds | undefined
}

export type PackedRanker = {
  readonly bytes: Uint8Array
  readonly calibration: Calibration
  /** Trees that tell whether anything serves; null where there was too little to learn that from. */
  readonly answers: PackedAnswers | null
}

/** Writes the files of a model into a new folder; what was left there of an earlier attempt goes. */
export async function writeModel(
  folder: string,
  {
    name,
    weights,
    ranker,
    card,
  }: {
    readonly name: string
    readonly weights: StaticWeights
    readonly ranker: PackedRanker
    readonly card: ModelCard
  },
): Promise<void> {
  const { head, bytes } = packEmbedding(weights)
  const { answers } = ranker
  const interaction = weights.interaction ? packInteraction(weights.interaction) : null
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  const model = {
    name,
    ...head,
    ...(interaction ? { interaction: { file: modelFiles.interaction, ...interaction.head } } : {}),
    ranker: { file: modelFiles.ranker, sha256: sha256Of(ranker.bytes), calibration: ranker.calibration },
    ...(answers
      ? {
          answers: {
            file: modelFiles.answers,
            sha256: sha256Of(answers.bytes),
            ...(answers.thresholds ? { thresholds: answers.thresholds } : {}),
          },
        }
      : {}),
    card,
  }
  await writeFile(join(folder, modelFiles.weights), bytes)
  await writeFile(join(folder, modelFiles.ranker), ranker.bytes)
  if (interaction) await writeFile(join(folder, modelFiles.interaction), interaction.bytes)
  if (answers) await writeFile(join(folder, modelFiles.answers), answers.bytes)
  await writeFile(join(folder, modelFiles.readme), modelReadme({ name, head, card }))
  await writeFile(join(folder, modelFiles.model), `${JSON.stringify(model, null, 2)}\n`)
}

/** In hexadecimal. */
export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')
