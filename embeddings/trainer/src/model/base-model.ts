import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { thresholds } from '../../../../src/adapters/static-model/model-card.ts'
import { openEmbedding, openInteraction } from '../../../../src/vectors/embedding/packed-embedding.ts'
import type { StaticWeights } from '../../../../src/vectors/embedding/static-embedding.ts'
import { embeddedFields, type TrainingRecipe } from '../recipe.ts'
import type { StartWeights } from '../start-weights.ts'
import { TrainingError } from '../training-error.ts'
import type { ModelCard } from './model-card.ts'
import { modelFiles, type PackedRanker, type PackedReader, sha256Of } from './write-model.ts'

/** A trained model that is adapted. */
export type BaseModel = {
  readonly name: string
  /** Of its weights. */
  readonly sha256: string
  readonly weights: StaticWeights
  readonly ranker: PackedRanker
  /** Null for one that reads no cards. */
  readonly reader: PackedReader | null
  /** What its card says of that. */
  readonly readerCard: ModelCard['reader']
  /** Logarithm of what its cosines were multiplied with. */
  readonly scale: number
  /** What of the recipe is settled by it. */
  readonly recipe: Pick<
    TrainingRecipe,
    'vocabulary' | 'dimensions' | 'keptDimensions' | 'queryTokens' | 'fieldTokens'
  >
}

const rankerHead = z.object({
  sha256: z.string(),
  calibration: z.object({ slope: z.number(), intercept: z.number() }),
})
const answersHead = z.object({ sha256: z.string(), thresholds: thresholds.optional() })

const schema = z.object({
  name: z.string(),
  format: z.enum(['audition-static-embedding/1', 'audition-static-embedding/2']),
  dimensions: z.int().min(8),
  tokens: z.int().min(256),
  queryLimit: z.int().min(1),
  fields: z.array(z.object({ name: z.string(), limit: z.int().min(1), weight: z.number().positive() })),
  vocabularyBytes: z.int().min(1),
  sha256: z.string(),
  ranker: rankerHead,
  interaction: z.object({ dimensions: z.int().min(8), sha256: z.string() }).optional(),
  answers: answersHead.optional(),
  reader: z.object({ sha256: z.string() }).optional(),
  reading: rankerHead.extend({ answers: answersHead.optional() }).optional(),
  card: z.object({
    embedding: z.object({ scale: z.number().positive() }),
    reader: z.custom<NonNullable<ModelCard['reader']>>().optional(),
  }),
})

/** @throws TrainingError when the folder holds no model, or a damaged one */
export async function openBaseModel(folder: string): Promise<BaseModel> {
  const file = (name: string): string => join(folder, name)
  const refuse = (name: string, what: string, cause?: unknown): TrainingError =>
    new TrainingError(
      `${file(name)}: ${what}.`,
      'Give the folder of a model that `audition train` made with --from.',
      { cause },
    )
  const read = async (name: string): Promise<Buffer> => {
    try {
      return await readFile(file(name))
    } catch (cause) {
      throw refuse(name, 'cannot be read', cause)
    }
  }
  const text = (await read(modelFiles.model)).toString('utf8')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw refuse(modelFiles.model, 'not JSON', cause)
  }
  const { data: head, error } = schema.safeParse(json)
  if (head === undefined) {
    const [issue] = error.issues
    throw refuse(modelFiles.model, `"${issue?.path.join('.')}": ${issue?.message}`)
  }
  const bytes = await read(modelFiles.weights)
  const checked = async (name: string, { sha256 }: { readonly sha256: string }): Promise<Buffer> => {
    const found = await read(name)
    if (sha256Of(found) !== sha256) throw refuse(name, 'the checksum is not the one of the model card')
    return found
  }
  const rankerOf = async (
    { ranker, answers }: Pick<z.infer<typeof schema>, 'ranker' | 'answers'>,
    files: { readonly ranker: string; readonly answers: string },
  ): Promise<PackedRanker> => ({
    bytes: await checked(files.ranker, ranker),
    calibration: ranker.calibration,
    answers: answers
      ? { bytes: await checked(files.answers, answers), thresholds: answers.thresholds }
      : null,
  })
  const ranker = await rankerOf(head, modelFiles)
  const { reader, reading } = head
  const filesOfReading = { ranker: modelFiles.readingRanker, answers: modelFiles.readingAnswers }
  const interaction = head.interaction
    ? {
        interaction: openInteraction(
          { head: head.interaction, bytes: await read(modelFiles.interaction) },
          head.tokens,
          file(modelFiles.interaction),
        ),
      }
    : {}
  const limits = new Map(head.fields.map(({ name, limit }) => [name, limit]))
  const names = head.fields.map(({ name }) => name)
  if (names.join() !== embeddedFields.join())
    throw refuse(modelFiles.model, `reads the fields ${names.join(', ')}, not ${embeddedFields.join(', ')}`)
  const limitOf = (field: (typeof embeddedFields)[number]): number => limits.get(field)!
  return {
    name: head.name,
    sha256: head.sha256,
    weights: {
      ...openEmbedding({ head, bytes }, file(modelFiles.weights)),
      ...interaction,
    },
    ranker,
    reader:
      reader && reading
        ? {
            folder: file(modelFiles.reader),
            sha256: reader.sha256,
            ranker: await rankerOf({ ranker: reading, answers: reading.answers }, filesOfReading),
          }
        : null,
    readerCard: head.card.reader,
    scale: Math.log(head.card.embedding.scale),
    recipe: {
      vocabulary: head.tokens,
      dimensions: head.dimensions,
      keptDimensions: head.dimensions,
      queryTokens: head.queryLimit,
      fieldTokens: {
        name: limitOf('name'),
        description: limitOf('description'),
        examples: limitOf('examples'),
        parameters: limitOf('parameters'),
        body: limitOf('body'),
      },
    },
  }
}

/**
 * Starts from the weights of a model. Its factors hold a vector's scale and the token's weight together: here each vector
 * gets the length 1 and the weights take the rest, which is the same embedding.
 */
export const baseStart =
  ({ weights, scale }: BaseModel): StartWeights =>
  (trainer) => {
    const { dimensions, rows, queryFactors, documentFactors, fields } = weights
    const { table, queryWeights, documentWeights, fieldWeights } = trainer.weights
    for (let token = 0; token < queryFactors.length; token += 1) {
      const start = token * dimensions
      let squares = 0
      for (let at = start; at < start + dimensions; at += 1) squares += rows[at]! ** 2
      if (squares === 0) continue // never seen in training: the random vector stays
      const length = Math.sqrt(squares)
      for (let at = start; at < start + dimensions; at += 1) table[at] = rows[at]! / length
      queryWeights[token] = Math.log(queryFactors[token]! * length)
      documentWeights[token] = Math.log(documentFactors[token]! * length)
    }
    fields.forEach(({ weight }, place) => {
      fieldWeights[place + 1] = Math.log(weight)
    })
    trainer.restore({ ...trainer.state(), scale: { value: scale, first: 0, second: 0 } })
  }
