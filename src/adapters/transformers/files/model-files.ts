import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddingModelError } from '../../../retrieval/rank/embedding-model-error.ts'
import type { Dtype } from './options.ts'
import { createHash } from 'node:crypto'

/** How transformers.js names the weights of each number format. */
const weightsOf: { readonly [dtype in Dtype]: string } = {
  fp32: 'model.onnx',
  fp16: 'model_fp16.onnx',
  q8: 'model_quantized.onnx',
  int8: 'model_int8.onnx',
  uint8: 'model_uint8.onnx',
  q4: 'model_q4.onnx',
  q4f16: 'model_q4f16.onnx',
  bnb4: 'model_bnb4.onnx',
}

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
  if (!(await isFolder(folder))) {
    throw new EmbeddingModelError(
      `${folder}: there is no such folder.`,
      'Check the path of the model; it must hold config.json, tokenizer.json, tokenizer_config.json and onnx/.',
    )
  }
  for (const name of settingsFiles) await checkJson(folder, name)
  const subfolder = (await isFolder(join(folder, 'onnx'))) ? 'onnx' : ''
  const weightsFolder = join(folder, subfolder)
  const present = await readdir(weightsFolder)
  if (!present.includes(weightsOf[dtype])) throw missingWeights(weightsFolder, dtype, present)
  const weights = present
    .filter((name) => name === weightsOf[dtype] || name.startsWith(`${weightsOf[dtype]}_data`))
    .sort()
    .map((name) => join(weightsFolder, name))
  for (const file of weights) await checkContent(file)
  return { folder, subfolder, weights }
}

/** Whether a folder holds all files of a model, whatever their state; a download may have left out the last ones. */
export async function isComplete(folder: string, dtype: Dtype): Promise<boolean> {
  const names = [...settingsFiles, join('onnx', weightsOf[dtype])]
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
  return sizes.every((file) => file?.isFile() === true)
}

/** Number formats of the weights that a folder holds. */
export async function otherDtypes(folder: string): Promise<readonly Dtype[]> {
  const names = await readdir(join(folder, 'onnx')).catch((): string[] => [])
  return (Object.keys(weightsOf) as Dtype[]).filter((dtype) => names.includes(weightsOf[dtype]))
}

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
  const others = Object.entries(weightsOf).filter(([, name]) => present.includes(name))
  return new EmbeddingModelError(
    `${join(folder, weightsOf[dtype])}: missing; dtype ${dtype} needs it.`,
    others.length === 0
      ? `${folder} holds no ONNX weights: export the model to ONNX, or choose one that has them.`
      : `Set dtype to ${others.map(([other]) => other).join(' or ')}, which the folder holds.`,
  )
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

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
