import { z } from 'zod'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'

const size = (most: number) => z.int().min(1).max(most)
const file = z.object({
  file: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'is not the name of a file beside the card'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower-case hexadecimal'),
})

/** What opening a reader needs of its `model.json`; the rest of the card is for people. */
const readerCard = z
  .object({
    format: z.literal('audition-reader/1'),
    name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'may hold letters, digits, ".", "_" and "-"'),
    layers: size(48),
    hidden: size(4096).multipleOf(8),
    heads: size(128),
    intermediate: size(16_384).multipleOf(8),
    /** Most tokens of a text. */
    positions: size(4096).min(2),
    /** Pieces of the vocabulary. */
    tokens: size(1_000_000),
    /** Added to variances. */
    epsilon: z.number().positive().max(0.1),
    /** Most tokens of a query and of a card, [CLS] and [SEP] among them. */
    queryLimit: z.int().min(2),
    cardLimit: z.int().min(2),
    files: z.object({ weights: file, vocabulary: file }),
  })
  .refine(({ hidden, heads }) => hidden % (4 * heads) === 0, {
    path: ['heads'],
    message: 'each head takes a multiple of 4 of the hidden values',
  })
  .refine(({ queryLimit, positions }) => queryLimit <= positions, {
    path: ['queryLimit'],
    message: 'is more than there are positions',
  })
  .refine(({ cardLimit, positions }) => cardLimit <= positions, {
    path: ['cardLimit'],
    message: 'is more than there are positions',
  })

export type ReaderCard = z.infer<typeof readerCard>

const remedy =
  'Copy the folder of the reader again, or train it anew. If it is the one of the built-in model: install Audition again, or set AUDITION_READER=none.'

/** What a folder says of its reader. @throws EmbeddingModelError when it cannot be read, or is not what it should be */
export function readReaderCard(folder: string): ReaderCard {
  const file = join(folder, 'model.json')
  const text = readingOf(file, () => readFileSync(file, 'utf8'))
  const parsed = opened(() => {
    try {
      return readerCard.safeParse(JSON.parse(text), { jitless: true }) // parsed once
    } catch (error) {
      throw new Error(`${file}: not JSON (${(error as Error).message}).`)
    }
  })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue?.path.length ? `${file}, ${issue.path.join('.')}` : file
  throw new EmbeddingModelError(`${place}: ${issue?.message}.`, remedy)
}

/** Reads a file. @throws EmbeddingModelError when it cannot be read; the message names it */
export function readingOf<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new EmbeddingModelError(
      `${file} cannot be read: ${(error as Error).message}.`,
      'Name the folder of a reader, or unset AUDITION_MODEL for the built-in model. If that is the one: install Audition again, or set AUDITION_READER=none.',
      { cause: error },
    )
  }
}

/** Damage of any part becomes one kind of error. */
export function opened<T>(open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof EmbeddingModelError) throw error
    throw new EmbeddingModelError((error as Error).message, remedy, { cause: error })
  }
}
