import { createHash } from 'node:crypto'
import { type BoostedTrees, boostedTrees, type TreeModel, type TreeNodes } from './boosted-trees.ts'

/** First bytes of a packed model. */
const signature = 'AUDITION-TREES\n\0'
const version = 1
const checksumBytes = 32
/** Signature, version, length of the header. */
const prefixBytes = signature.length + 8

type Header = {
  readonly features: readonly string[]
  readonly initial: number
  readonly trees: number
  readonly nodes: number
}

/**
 * A model as bytes, 15 per node: signature, version and length of the header (32 bits each), header (JSON), the node
 * arrays one after the other, SHA-256 of all before. Little-endian, as all processors are that the store runs on.
 */
export function packTrees({ features, initial, nodes }: TreeModel): Uint8Array {
  const header: Header = { features, initial, trees: nodes.roots.length, nodes: nodes.child.length }
  const words = new TextEncoder().encode(JSON.stringify(header))
  const bytes = new Uint8Array(prefixBytes + words.length + bodyBytes(header) + checksumBytes)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(signature))
  view.setUint32(signature.length, version, true)
  view.setUint32(signature.length + 4, words.length, true)
  bytes.set(words, prefixBytes)
  let at = prefixBytes + words.length
  for (const column of columns) {
    const own = bytesOf(nodes[column])
    bytes.set(own, at)
    at += own.length
  }
  bytes.set(checksum(bytes.subarray(0, at)), at)
  return bytes
}

type OpenTreesOptions = {
  /** The features that rows will have, in their order: the model must have been trained on the same. */
  readonly features: readonly string[]
  /** Where the bytes come from, for messages: a path or a name. */
  readonly file: string
}

/**
 * Reads what {@link packTrees} wrote. The scores are the same to the last bit.
 *
 * @throws Error when the bytes are not such a model, are of another version, are damaged, or know other features
 */
export function openTrees(bytes: Uint8Array, { features, file }: OpenTreesOptions): BoostedTrees {
  const model = readTrees(bytes, file)
  const place = differingPlace(model.features, features)
  if (place !== undefined)
    throw new Error(
      `${file}: the model was trained on ${model.features.length} features, this version computes ${features.length}; ` +
        `feature ${place + 1} is ${named(model.features[place])} there and ${named(features[place])} here. Train the model again.`,
    )
  try {
    return boostedTrees(model)
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error} ${remedy}`, { cause: error })
  }
}

const remedy = 'Fetch the file again, or train the model again.'

function readTrees(bytes: Uint8Array, file: string): TreeModel {
  const broken = (what: string): Error => new Error(`${file}: ${what} ${remedy}`)
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, signature.length))
  if (start !== signature) throw broken('this is not a model of boosted trees: it starts with other bytes.')
  if (bytes.length < prefixBytes + checksumBytes) throw broken(`the file ends after ${bytes.length} bytes.`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = view.getUint32(signature.length, true)
  if (found !== version) throw broken(`the model has format version ${found}, this program reads ${version}.`)
  const end = bytes.length - checksumBytes
  const seen = checksum(bytes.subarray(0, end))
  if (!seen.every((byte, index) => byte === bytes[end + index]))
    throw broken('the file is damaged: its content does not match its checksum.')

  const bodyStart = prefixBytes + view.getUint32(signature.length + 4, true)
  const header = readHeader(bytes.subarray(prefixBytes, Math.min(bodyStart, end)))
  if (header === undefined) throw broken('the header is not readable.')
  if (bodyStart + bodyBytes(header) !== end)
    throw broken(`the header tells of ${bodyBytes(header)} bytes of nodes, the file has ${end - bodyStart}.`)
  const nodes = emptyNodes(header)
  let at = bodyStart
  for (const column of columns) {
    const own = bytesOf(nodes[column])
    own.set(bytes.subarray(at, at + own.length))
    at += own.length
  }
  return { features: header.features, initial: header.initial, nodes }
}

/** The arrays of the body, in their order. */
const columns = ['roots', 'child', 'feature', 'threshold', 'missingRight', 'value'] as const

const emptyNodes = ({ trees, nodes }: Header): TreeNodes => ({
  roots: new Uint32Array(trees),
  child: new Uint32Array(nodes),
  feature: new Uint16Array(nodes),
  threshold: new Float32Array(nodes),
  missingRight: new Uint8Array(nodes),
  value: new Float32Array(nodes),
})

const bytesOf = ({ buffer, byteOffset, byteLength }: TreeNodes[keyof TreeNodes]): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

const bodyBytes = ({ trees, nodes }: Header): number => 4 * trees + nodes * (4 + 2 + 4 + 1 + 4)

function readHeader(words: Uint8Array): Header | undefined {
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(words))
    return isHeader(header) ? header : undefined
  } catch {
    return undefined // the caller says that it is not readable
  }
}

function isHeader(value: unknown): value is Header {
  if (typeof value !== 'object' || value === null) return false
  const { features, initial, trees, nodes } = value as { readonly [key in keyof Header]?: unknown }
  return (
    Array.isArray(features) &&
    features.every((name) => typeof name === 'string') &&
    Number.isFinite(initial) &&
    [trees, nodes].every((count) => Number.isSafeInteger(count) && (count as number) >= 0)
  )
}

const checksum = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

/** First place at which two lists differ; undefined when they are the same. */
function differingPlace(a: readonly string[], b: readonly string[]): number | undefined {
  for (let place = 0; place < Math.max(a.length, b.length); place += 1)
    if (a[place] !== b[place]) return place
  return undefined
}

const named = (feature: string | undefined): string =>
  feature === undefined ? 'absent' : JSON.stringify(feature)
