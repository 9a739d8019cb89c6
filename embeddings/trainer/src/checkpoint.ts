import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '../../../src/domain/json.ts'
import { TrainingError } from './training-error.ts'

/** What is kept of an unfinished training: facts, and numbers by name. */
export type Checkpoint = {
  readonly facts: JsonObject
  readonly arrays: { readonly [name: string]: Float32Array }
}

/** First bytes of the file; then the length of the header (32 bits), the header (JSON), the numbers, SHA-256 of all. */
const signature = 'AUDITION-CHECK\n\0'
const checksumBytes = 32

/** Writes a checkpoint; whoever stops meanwhile leaves the old one or the new one. */
export async function writeCheckpoint(file: string, { facts, arrays }: Checkpoint): Promise<void> {
  const lengths = Object.entries(arrays).map(([name, { length }]) => [name, length] as const)
  const header = Buffer.from(JSON.stringify({ facts, arrays: lengths }))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(header.length)
  const parts = [Buffer.from(signature, 'latin1'), size, header, ...Object.values(arrays).map(bytesOf)]
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  const fresh = `${file}.${process.pid}.part`
  await writeFile(fresh, [...parts, hash.digest()])
  await rename(fresh, file)
}

/**
 * @returns null when there is no such file
 * @throws TrainingError when it is damaged
 */
export async function readCheckpoint(file: string): Promise<Checkpoint | null> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const damaged = (): TrainingError =>
    new TrainingError(
      `${file}: the checkpoint is damaged.`,
      'Remove this file and call the same command again: what it held is computed anew.',
    )
  const end = bytes.length - checksumBytes
  const start = signature.length + 4
  if (end < start || bytes.toString('latin1', 0, signature.length) !== signature) throw damaged()
  if (!createHash('sha256').update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end)))
    throw damaged()
  const bodyStart = start + bytes.readUInt32LE(signature.length)
  const header: unknown = JSON.parse(bytes.toString('utf8', start, bodyStart))
  if (!isJsonObject(header) || !isJsonObject(header.facts) || !Array.isArray(header.arrays)) throw damaged()
  const arrays: { [name: string]: Float32Array } = {}
  let at = bodyStart
  for (const entry of header.arrays) {
    const [name, length] = Array.isArray(entry) ? entry : []
    const values = new Float32Array(Number(length))
    bytesOf(values).set(bytes.subarray(at, at + values.byteLength))
    arrays[String(name)] = values
    at += values.byteLength
  }
  return { facts: header.facts, arrays }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
