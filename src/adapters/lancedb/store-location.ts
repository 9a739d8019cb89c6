import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { RemedyError } from '../../domain/remedy-error.ts'
import { NoIndexError } from '../../retrieval/ports.ts'

/** Where the store lies: a local folder, or a URL of object storage that LanceDB understands (`s3://`, `s3+ddb://`, `gs://`, `az://`), or a database of LanceDB Cloud or Enterprise (`db://`). */
export type StoreLocation = string

/** Whether a store lies at an address, object storage or an engine, where others cannot be locked out. */
export const isRemote = (location: StoreLocation): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(location)

/** Whether a store lies in an engine that searches it itself: LanceDB Cloud or Enterprise. */
export const isEngine = (location: StoreLocation): boolean => /^db:\/\//i.test(location)

/** Longest time that news of others may stay unseen, in milliseconds: a look at an engine is a request that a search waits for. */
export const recheckMsOf = (location: StoreLocation): number => (isEngine(location) ? 5000 : 1000)

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

/** Hands over what is read of the store one after the other, as {@link readingStore} does. */
export async function* readInTurn<T>(location: StoreLocation, read: AsyncIterable<T>): AsyncGenerator<T> {
  const items = read[Symbol.asyncIterator]()
  for (;;) {
    const { value, done } = await readingStore(location, () => items.next())
    if (done === true) return
    yield value
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

/**
 * Whether there is a folder for a local store.
 *
 * @throws StoreError when it is no folder, or cannot be looked into: that must not look like a store without cards
 */
export function isFolderThere(location: string): boolean {
  try {
    if (!statSync(location).isDirectory()) throw cannotBeOpened(location, 'it is a file, not a folder')
    accessSync(location, constants.R_OK | constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof StoreError) throw error
    const code = codeOf(error)
    if (code === 'ENOENT') return false
    throw cannotBeOpened(location, reasons[code] ?? `the system says ${code}`, error)
  }
}

/** Names in a folder; none when it is not there. @throws the system's error when it cannot be looked into */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

const reasons: { readonly [code: string]: string } = {
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'you may not read it (permission denied)',
  EPERM: 'you may not read it (permission denied)',
  ELOOP: 'its path is a link that leads to itself',
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

const cannotBeOpened = (location: string, reason: string, cause?: unknown): StoreError =>
  new StoreError(
    `The store in ${location} cannot be opened: ${reason}.`,
    'Make it a folder that you may read and write, or set AUDITION_HOME to another one.',
    { reason, cause },
  )

/** A file of the store is not what it was when it was written, or a version that was written is gone. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
  /** Whether it is a manifest, which says what all other files of its table are. */
  readonly isManifest: boolean
  constructor(message: string, isManifest: boolean) {
    super(message)
    this.isManifest = isManifest
  }
}
