import { RemedyError } from '../../domain/remedy-error.ts'
import { NoIndexError } from '../../retrieval/ports.ts'
import { isRemote, type StoreLocation } from './store-location.ts'

/** A store that is there cannot be used. */
export class StoreError extends RemedyError {
  override readonly name = 'StoreError'
  /** What is wrong, without the store's name and what to do. */
  readonly reason: string
  constructor(
    message: string,
    remedy: string,
    { reason, ...options }: ErrorOptions & { readonly reason: string },
  ) {
    super(message, remedy, options)
    this.reason = reason
  }
}

/** Does something with the store, and says where, what and what to do when the store cannot be read. */
export async function readingStore<T>(location: StoreLocation, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof StoreError || error instanceof NoIndexError) throw error
    throw isOfWriting(error) ? cannotBeWritten(location, error) : cannotBeRead(location, error)
  }
}

/** Changes the store, and says where, what and what to do when that fails; what a signal stops stays its reason. */
export async function writingStore<T>(
  location: StoreLocation,
  signal: AbortSignal | undefined,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    signal?.throwIfAborted()
    // Models and the like have errors of their own, with a remedy.
    throw RemedyError.isInstance(error) ? error : cannotBeWritten(location, error)
  }
}

export function cannotBeWritten(location: StoreLocation, error: unknown): StoreError {
  const reason = reasonOf(error)
  const remedy = isRemote(location) ? atAddress : "Check the folder's permissions and the free space"
  return new StoreError(
    `The store in ${location} cannot be written: ${reason}.`,
    `${remedy}, or set AUDITION_HOME to another one.`,
    { reason: `it cannot be written: ${reason}`, cause: error },
  )
}

function cannotBeRead(location: StoreLocation, error: unknown): StoreError {
  const reason = reasonOf(error)
  const remedy = isRemote(location)
    ? atAddress
    : /permission denied/i.test(reason)
      ? 'Check who may read that folder'
      : 'Run `audition doctor --repair`'
  return new StoreError(
    `The store in ${location} cannot be read: ${reason}.`,
    `${remedy}, or set AUDITION_HOME to another one.`,
    { reason, cause: error },
  )
}

const atAddress = 'Check the address, the keys and the connection'

/** Whether an error is the disk's, which no repair mends. */
const isOfWriting = (error: unknown): boolean =>
  /no space left|file too large|quota exceeded|read-only file system/i.test(reasonOf(error))

/** LanceDB's messages without the lines of its sources and the repetitions that follow them. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [first = ''] = message.split(/Caused by:|\n/)
  return first
    .replace(/, \/\S+\.rs(?::\d+)*/g, '')
    .replace(
      /(?:lance error: |LanceError\(\w+\): |Generic N\/A error: |Wrapped error: |GenericFailure, )/g,
      '',
    )
    .replace(/^Panic in async function/, 'the database gave up on what it read: its files are damaged')
    .replace(/(?<![\s.,])[\s.,]+$/, '')
}
