import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isFolder } from '../../../domain/paths.ts'
import { EmbeddingModelError } from '../../../retrieval/rank/embedding-model-error.ts'
import type { Dtype } from './options.ts'
import { createHash } from 'node:crypto'

/** What transformers.js puts behind the name of a graph in each number format. */
const suffixes: { readonly [dtype in Dtype]: string } = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
}

/** The graphs of a model: one, or an encoder and a decoder. */
const graphs = [['model'], ['encoder_model', 'decoder_model_merged']] as const

/** The files of weights that a model may have in a number format, those of one graph first. */
const weightsOf = (dtype: Dtype): readonly (readonly string[])[] =>
  graphs.map((parts) => parts.map((part) => `${part}${suffixes[dtype]}.onnx`))

/** The weights of a number format that are there whole. */
const weightsIn = (present: readonly string[], dtype: Dtype): readonly string[] | undefined =>
  weightsOf(dtype).find((files) => files.every((file) => present.includes(file)))

/** The files of one model that this machine holds. */
export type ModelFiles = {
  readonly folder: string
  /** `onnx`, or empty when the weights lie in the folder itself. */
  readonly subfolder: string
  /** Absolute paths: the graph first, then its external data if it has any. */
  readonly weights: readonly string[]
}

const settingsFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const
const pointerMark = 'version https://git-lfs.github.com/spec/'

/**
 * Finds the files that transformers.js will load and looks at what commonly goes wrong with them, so that the
 * error names the file and the cure instead of a parser's complaint.
 *
 * @throws EmbeddingModelError when a file is missing, empty, not JSON, or a Git-LFS pointer
 */
export async function modelFiles(folder: string, dtype: Dtype): Promise<ModelFiles> {
  if (!isFolder(folder)) {
    throw new EmbeddingModelError(
      `${folder}: there is no such folder.`,
      'Check the path of the model; it must hold config.json, tokenizer.json, tokenizer_config.json and onnx/.',
    )
  }
  for (const name of settingsFiles) await checkJson(folder, name)
  const subfolder = isFolder(join(folder, 'onnx')) ? 'onnx' : ''
  const weightsFolder = join(folder, subfolder)
  const present = await readdir(weightsFolder)
  const files = weightsIn(present, dtype)
  if (files === undefined) throw missingWeights(weightsFolder, dtype, present)
  const weights = present
    .filter((name) => files.some((file) => name === file || name.startsWith(`${file}_data`)))
    .sort()
    .map((name) => join(weightsFolder, name))
  for (const file of weights) await checkContent(file)
  return { folder, subfolder, weights }
}

/** Whether a folder holds all files of a model, whatever their state; a download may have left out the last ones. */
export async function isComplete(folder: string, dtype: Dtype): Promise<boolean> {
  const isThere = async (names: readonly string[]): Promise<boolean> => {
    const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
    return found.every((file) => file?.isFile() === true)
  }
  const ofGraphs = await Promise.all(
    weightsOf(dtype).map((files) => isThere(files.map((file) => join('onnx', file)))),
  )
  return ofGraphs.includes(true) && isThere(settingsFiles)
}

/** Number formats of the weights that a folder holds. */
export async function otherDtypes(folder: string): Promise<readonly Dtype[]> {
  const names = await readdir(join(folder, 'onnx')).catch((): string[] => [])
  return dtypesIn(names)
}

const dtypesIn = (names: readonly string[]): readonly Dtype[] =>
  (Object.keys(suffixes) as Dtype[]).filter((dtype) => weightsIn(names, dtype) !== undefined)

async function checkJson(folder: string, name: string): Promise<void> {
  const file = join(folder, name)
  await checkContent(file)
  try {
    JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new EmbeddingModelError(
      `${file}: not valid JSON (${cause instanceof Error ? cause.message : String(cause)}).`,
      'Copy or download the model again.',
      { cause },
    )
  }
}

async function checkContent(file: string): Promise<void> {
  const start = await readStart(file)
  if (start === null) {
    throw new EmbeddingModelError(
      `${file}: missing.`,
      'Copy the whole model folder: config.json, tokenizer.json, tokenizer_config.json and onnx/.',
    )
  }
  if (start.length === 0) {
    throw new EmbeddingModelError(`${file}: empty.`, 'Copy or download the model again.')
  }
  if (start.startsWith(pointerMark)) {
    throw new EmbeddingModelError(
      `${file}: a Git-LFS pointer, not the file itself.`,
      'Run `git lfs pull` in the folder it was cloned into, or download the file.',
    )
  }
}

/** The first bytes of a file, or null when there is no such file. */
async function readStart(file: string): Promise<string | null> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new EmbeddingModelError(`${file}: cannot be read (${error.message}).`, 'Check its permissions.', {
      cause: error,
    })
  })
  if (handle === null) return null
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

function missingWeights(folder: string, dtype: Dtype, present: readonly string[]): EmbeddingModelError {
  const others = dtypesIn(present)
  return new EmbeddingModelError(
    `${join(folder, weightsOf(dtype)[0]![0]!)}: missing; dtype ${dtype} needs it.`,
    others.length === 0
      ? `${folder} holds no ONNX weights: export the model to ONNX, or choose one that has them.`
      : `Set dtype to ${others.join(' or ')}, which the folder holds.`,
  )
}

const blocks = 64
const blockBytes = 4096

/**
 * Tells models apart by their weights: a hash of the sizes and of 64 evenly spread blocks of each file. A retrained
 * model differs in nearly every block, so reading 256 kB is enough for files of any size.
 *
 * @param files - absolute paths, in an order that does not change
 * @returns 12 hexadecimal digits
 */
export async function weightsFingerprint(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      hash.update(`${size};`)
      const step = Math.max(blockBytes, (size - blockBytes) / (blocks - 1))
      for (let start = 0; start < size; start += step) {
        const { buffer, bytesRead } = await handle.read(
          Buffer.alloc(blockBytes),
          0,
          blockBytes,
          Math.floor(start),
        )
        hash.update(buffer.subarray(0, bytesRead))
      }
    } finally {
      await handle.close()
    }
  }
  return hash.digest('hex').slice(0, 12)
}
