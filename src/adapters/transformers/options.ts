import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { EmbeddingModelError } from '../../retrieval/embedding-model-error.ts'
import { familyOf, type Pooling } from './families.ts'

/** Number formats of weights, by the names transformers.js gives them. `auto` is left out: vectors must be repeatable. */
export const dtypes = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const
export type Dtype = (typeof dtypes)[number]

/** A transformers.js model with everything decided. */
export type TransformersOptions = {
  /** Absolute folder, or a hub id such as `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string
  readonly pooling: Pooling
  /** Put before every query, respectively document, exactly as written; often ends in a space. */
  readonly queryPrefix: string
  readonly documentPrefix: string
  readonly dtype: Dtype
  /** Longest input in tokens, special tokens included; the rest is cut off. The model's own limit holds too. */
  readonly maxTokens: number
  /** Length the vectors must have; a model that gives another is refused. */
  readonly dimensions?: number
  /** Absolute folder for downloads, one subfolder per model. */
  readonly cacheDir: string
  /** Absolute folder of models laid out as `<org>/<name>`, looked at before the cache. */
  readonly localModelPath?: string
  /** Whether the network may be used to fetch a model that is not on this machine. */
  readonly allowDownload: boolean
  /** Where downloads come from: the hub or a mirror of it. */
  readonly hubUrl: string
  /**
   * Documents computed together; queries always go one by one. With quantised weights a vector depends in its last
   * digits on its neighbours in the batch, so that 1 makes an index repeatable; more is faster on many threads.
   */
  readonly batchSize: number
  /** Threads of one computation. More than 1 slows down everything else when the machine is busy. */
  readonly threads: number
}

const hubId = /^(?!.*(\.\.|--))[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)?$/
const folder = z.string().refine(isAbsolute, 'must be an absolute folder')

const settings = z.strictObject({
  model: z
    .string()
    .refine(
      (model) => isAbsolute(model) || hubId.test(model),
      'must be an absolute folder or a hub id such as Xenova/all-MiniLM-L6-v2',
    ),
  pooling: z.enum(['mean', 'cls', 'last', 'model']).optional(),
  queryPrefix: z.string().max(2000).optional(),
  documentPrefix: z.string().max(2000).optional(),
  dtype: z.enum(dtypes).default('q8'),
  maxTokens: z.int().min(8).max(32_768).optional(),
  dimensions: z.int().min(1).optional(),
  cacheDir: folder,
  localModelPath: folder.optional(),
  allowDownload: z.boolean().default(false),
  hubUrl: z
    .url()
    .refine(isSafeToFetchFrom, 'must be https (http only on this machine)')
    .default('https://huggingface.co/'),
  batchSize: z.int().min(1).max(256).default(1),
  threads: z.int().min(1).max(64).default(1),
})

/** What a person may write; all but `model` has a default. */
export type TransformersSettings = Omit<z.input<typeof settings>, 'cacheDir'> & { readonly cacheDir?: string }

/**
 * Checks settings from a configuration and fills in defaults: those of the model's family where its name tells it
 * (see `families.ts`), else mean pooling, no prefixes and 512 tokens.
 *
 * @param written - the configuration's object; unknown keys are refused
 * @param defaults - where downloads go when the settings do not say
 * @throws EmbeddingModelError naming every wrong field
 */
export function transformersOptions(
  written: unknown,
  defaults: { readonly cacheDir: string },
): TransformersOptions {
  const read = settings.safeParse(isObject(written) ? { ...defaults, ...written } : written)
  if (!read.success) {
    const wrong = read.error.issues.map(({ path, message }) => `${path.join('.') || 'model'}: ${message}`)
    throw new EmbeddingModelError(
      `Settings of the transformers model: ${wrong.join('; ')}.`,
      `Allowed keys are ${Object.keys(settings.shape).join(', ')}; docs/models.md explains each.`,
    )
  }
  const { dimensions, localModelPath, hubUrl, ...given } = read.data
  const family = familyOf(given.model)
  return {
    ...given,
    pooling: given.pooling ?? family.pooling,
    queryPrefix: given.queryPrefix ?? family.queryPrefix,
    documentPrefix: given.documentPrefix ?? family.documentPrefix,
    maxTokens: given.maxTokens ?? family.maxTokens,
    hubUrl: hubUrl.endsWith('/') ? hubUrl : `${hubUrl}/`,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(localModelPath === undefined ? {} : { localModelPath }),
  }
}

/** Weights are read by native code: nobody on the way may be able to change them. */
function isSafeToFetchFrom(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
