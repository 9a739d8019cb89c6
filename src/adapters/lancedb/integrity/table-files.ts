import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject } from '../../../domain/json.ts'
import { readable } from '../../../domain/paths.ts'
import { namesIn, type StoreLocation } from '../store-location.ts'

/** The files that a table is read from, relative to the store's folder. */
type TableFiles = {
  /** The manifests of the newest version and of the one that was asked for. */
  readonly manifests: readonly string[]
  /** Manifests of other versions, which are kept until the table is pruned. */
  readonly older: readonly string[]
  /** Rows, marks of deleted ones, and indexes. */
  readonly others: readonly string[]
  /** Number of the newest version; null when there is none. */
  readonly newest: bigint | null
  /** What LanceDB noted as the newest: it never notes one that was not written. Null when it says nothing. */
  readonly noted: bigint | null
  /** Whether one of the manifests says that it is of another version than its name does. */
  readonly isMisnamed: boolean
}

/** LanceDB counts manifests down from the largest number of 64 bits. */
const largest = 2n ** 64n - 1n
const manifestName = (version: bigint): string => `${largest - version}.manifest`

/** @param version - the version that is to be opened, besides the newest, which LanceDB opens first */
export function tableFiles(location: StoreLocation, table: string, version?: number): TableFiles {
  const folder = join(location, `${table}.lance`)
  const noted = notedVersion(join(folder, '_versions', 'latest_version_hint.json'))
  const versions = namesIn(join(folder, '_versions')).flatMap(versionOf)
  const newest = largestOf(versions)
  const wanted = version === undefined ? [] : versions.filter((one) => one === BigInt(version))
  const opened = new Set([...(newest === null ? [] : [newest]), ...wanted])
  const manifestsOf = (some: Iterable<bigint>): readonly string[] =>
    Array.from(some, (one) => `_versions/${manifestName(one)}`)
  const manifests = manifestsOf(opened)
  const older = manifestsOf(versions.filter((one) => !opened.has(one)))
  const read = [...opened].flatMap((named) =>
    bytesOf(join(folder, '_versions', manifestName(named))).map((bytes) => ({ named, bytes })),
  )
  const data = namesIn(join(folder, 'data')).filter((name) => read.some(({ bytes }) => bytes.includes(name)))
  const others = [
    ...data.map((name) => `data/${name}`),
    ...below(folder, '_deletions'),
    ...below(folder, '_indices'),
  ]
  const inStore = (name: string): string => `${table}.lance/${name}`
  return {
    manifests: manifests.map(inStore),
    older: older.map(inStore),
    others: others.map(inStore),
    newest,
    noted,
    isMisnamed: read.some(({ named, bytes }) => (versionInside(bytes) ?? named) !== named),
  }
}

/** Null of none. */
export const largestOf = (versions: readonly bigint[]): bigint | null =>
  versions.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null)

/** The version that a manifest says it is of: field 3 of a message of Protocol Buffers. Null when that cannot be read. */
function versionInside(bytes: Buffer): bigint | null {
  // The last 16 bytes say where the message begins, which opens with its length.
  if (bytes.length < 16) return null
  let at = Number(bytes.readBigUInt64LE(bytes.length - 16)) + 4
  const number = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = number()
    const kind = tag & 7
    if (kind !== 0 && kind !== 2) return null
    const value = number()
    if (tag === 3 << 3) return BigInt(value)
    if (kind === 2) at += value
  }
  return null
}

/** Data files that no version up to this one names: of runs that did not end. Those of older versions are kept until the table is pruned. */
export const unnamedData = (location: StoreLocation, table: string, version: number): readonly string[] =>
  dataFiles(location, table, { upTo: BigInt(version) }).unnamed

/** Takes away the data files that no version names. For who keeps other writers away. @throws Error when a manifest cannot be read */
export function dropUnnamedData(location: StoreLocation, table: string): void {
  for (const file of dataFiles(location, table, { upTo: largest, unreadable: 'throw' }).unnamed)
    rmSync(join(location, file), { recursive: true, force: true })
}

/** Data files that some version names. @throws Error when a manifest is there and cannot be read */
export const namedData = (location: StoreLocation, table: string): readonly string[] =>
  dataFiles(location, table, { upTo: largest, unreadable: 'throw' }).named

/** Data files by whether a version up to one names them. */
function dataFiles(
  location: StoreLocation,
  table: string,
  { upTo, unreadable }: { readonly upTo: bigint; readonly unreadable?: 'throw' },
) {
  const [versions, data] = ['_versions', 'data'].map((part) => join(location, `${table}.lance`, part))
  const manifests = namesIn(versions!).filter((name) => versionOf(name).some((one) => one <= upTo))
  const read = manifests.flatMap((name) => bytesOf(join(versions!, name), unreadable))
  const isNamed = (name: string): boolean => read.some((bytes) => bytes.includes(name))
  const inStore = (name: string): string => `${table}.lance/data/${name}`
  const files = namesIn(data!)
  return {
    named: files.filter(isNamed).map(inStore),
    unnamed: files.filter((name) => !isNamed(name)).map(inStore),
  }
}

/** The version that the name of a manifest says; none of another file's. */
export const versionOf = (name: string): readonly bigint[] => {
  const [, number] = /^(\d{20})\.manifest$/.exec(name) ?? []
  return number === undefined ? [] : [largest - BigInt(number)]
}

/** A manifest that a writer takes away meanwhile has nothing to say. */
function bytesOf(file: string, unreadable: 'pass over' | 'throw' = 'pass over'): readonly Buffer[] {
  try {
    return [readFileSync(readable(file))]
  } catch (error) {
    if (unreadable === 'throw' && existsSync(file)) throw error
    return []
  }
}

const below = (folder: string, part: string): readonly string[] =>
  existsSync(join(folder, part))
    ? readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) =>
          join(parentPath, name)
            .slice(folder.length + 1)
            .replaceAll('\\', '/'),
        )
    : []

function notedVersion(file: string): bigint | null {
  try {
    const hint: unknown = JSON.parse(readFileSync(readable(file), 'utf8'))
    return isJsonObject(hint) && Number.isSafeInteger(hint.version) ? BigInt(hint.version as number) : null
  } catch {
    return null
  }
}

/** Bytes that are read at once: files may be larger than the memory. */
const chunkBytes = 4 << 20

/** SHA-256, hex, 32 characters. */
export async function digestOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    return await digestOfFile(file)
  } finally {
    await file.close()
  }
}

async function digestOfFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  const { size } = await file.stat()
  const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, size)))
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length)
    if (bytesRead === 0) return hash.digest('hex').slice(0, 32)
    hash.update(chunk.subarray(0, bytesRead))
  }
}
