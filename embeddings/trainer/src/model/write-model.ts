import { createHash } from 'node:crypto'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
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
  reader: 'reader',
  readingRanker: 'reading-ranker.bin',
  readingAnswers: 'reading-answers.bin',
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

/** A reader that comes into a model, and the ranker that looks at what it reads. */
export type PackedReader = {
  readonly folder: string
  /** Of its weights. */
  readonly sha256: string
  readonly ranker: PackedRanker
}

/** Writes the files of a model into a new folder; what was left there of an earlier attempt goes. */
export async function writeModel(
  folder: string,
  {
    name,
    weights,
    ranker,
    reader,
    card,
  }: {
    readonly name: string
    readonly weights: StaticWeights
    readonly ranker: PackedRanker
    readonly reader: PackedReader | null
    readonly card: ModelCard
  },
): Promise<void> {
  const { head, bytes } = packEmbedding(weights)
  const { modelRanker, modelAnswers } = rankerHeads(ranker, modelFiles)
  const interaction = weights.interaction ? packInteraction(weights.interaction) : null
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  const model = {
    name,
    ...head,
    ...(interaction ? { interaction: { file: modelFiles.interaction, ...interaction.head } } : {}),
    ranker: modelRanker,
    ...(modelAnswers ? { answers: modelAnswers } : {}),
    ...(reader ? readerHead(reader) : {}),
    card,
  }
  await writeFile(join(folder, modelFiles.weights), bytes)
  await writeFile(join(folder, modelFiles.ranker), ranker.bytes)
  if (interaction) await writeFile(join(folder, modelFiles.interaction), interaction.bytes)
  if (ranker.answers) await writeFile(join(folder, modelFiles.answers), ranker.answers.bytes)
  if (reader) await writeReader(folder, reader)
  await writeFile(join(folder, modelFiles.readme), modelReadme({ name, head, card }))
  await writeFile(join(folder, modelFiles.model), `${JSON.stringify(model, null, 2)}\n`)
}

/** What `model.json` says of a ranker. */
function rankerHeads(
  { bytes, calibration, answers }: PackedRanker,
  files: { readonly ranker: string; readonly answers: string },
) {
  return {
    modelRanker: { file: files.ranker, sha256: sha256Of(bytes), calibration },
    modelAnswers: answers && {
      file: files.answers,
      sha256: sha256Of(answers.bytes),
      ...(answers.thresholds ? { thresholds: answers.thresholds } : {}),
    },
  }
}

/** Of a model that reads cards: an older version does not take it for one that does not. */
function readerHead({ sha256, ranker }: PackedReader) {
  const { modelRanker, modelAnswers } = rankerHeads(ranker, {
    ranker: modelFiles.readingRanker,
    answers: modelFiles.readingAnswers,
  })
  return {
    format: 'audition-static-embedding/2',
    reader: { folder: modelFiles.reader, sha256 },
    reading: { ...modelRanker, ...(modelAnswers ? { answers: modelAnswers } : {}) },
  }
}

async function writeReader(folder: string, { folder: from, ranker }: PackedReader): Promise<void> {
  await cp(from, join(folder, modelFiles.reader), { recursive: true, dereference: true })
  await writeFile(join(folder, modelFiles.readingRanker), ranker.bytes)
  if (ranker.answers) await writeFile(join(folder, modelFiles.readingAnswers), ranker.answers.bytes)
}

/** In hexadecimal. */
export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')
