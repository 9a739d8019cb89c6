import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import { type ReaderCard, readerCard } from './reader-card.ts'

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
