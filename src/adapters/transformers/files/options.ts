import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { EmbeddingModelError } from '../../../retrieval/rank/embedding-model-error.ts'

/** Number formats of weights, by the names transformers.js gives them. `auto` is left out: scores must be repeatable. */
const dtypes = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const
export type Dtype = (typeof dtypes)[number]

/** What every transformers.js model has, with everything decided. */
export type ModelOptions = {
  /** Absolute folder, or a hub id such as `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string
  /** Commit, branch or tag of the hub's repository; absent: the commit that `main` is when it is fetched. */
  readonly revision?: string
  /** Names of the settings that a person wrote: they win over what the repository says. */
  readonly stated: readonly string[]
  /** Put before every query, respectively document, exactly as written; often ends in a space. */
  readonly queryPrefix: string
  readonly documentPrefix: string
  readonly dtype: Dtype
  /** Longest input in tokens, special tokens included; the rest is cut off. The model's own limit holds too. */
  readonly maxTokens: number
  /** Absolute folder for downloads, one subfolder per model. */
  readonly cacheDir: string
  /** Absolute folder of models laid out as `<org>/<name>`, looked at before the cache. */
  readonly localModelPath?: string
  /** Whether the network may be used to fetch a model that is not on this machine. */
  readonly allowDownload: boolean
  /** Where downloads come from: the hub or a mirror of it. */
  readonly hubUrl: string
  /**
   * Documents computed together; queries to embed always go one by one. With quantised weights a result depends in its
   * last digits on its neighbours in the batch, so that 1 makes it repeatable; more is faster on many threads.
   */
  readonly batchSize: number
  /** Threads of one computation. More than 1 slows down everything else when the machine is busy. */
  readonly threads: number
}

/** An embedding model with everything decided. */
export type TransformersOptions = ModelOptions & {
  readonly pooling: Pooling
  /** Length the vectors must have; a model that gives another is refused. */
  readonly dimensions?: number
}

/** A cross-encoder with everything decided. */
export type CrossEncoderOptions = ModelOptions & {
  /** Relevances as probabilities (0..1, logistic function) or as the model's own logits. */
  readonly score: 'sigmoid' | 'logit'
  /** Candidates of a search that are rescored. */
  readonly depth: number
  /** What counts as relevant, for language models whose prompt has a place for it. @defaultValue what the family's card says */
  readonly task?: string
}

const hubId = /^(?!.*(\.\.|--))[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)?$/
const folder = z.string().refine(isAbsolute, 'must be an absolute folder')

const common = z.strictObject({
  model: z
    .string()
    .refine(
      (model) => isAbsolute(model) || hubId.test(model),
      'must be an absolute folder or a hub id such as Xenova/all-MiniLM-L6-v2',
    ),
  revision: z
    .string()
    .regex(/^(?!.*\.\.)[\w][\w./-]*$/, 'must be a commit, a branch or a tag')
    .optional(),
  queryPrefix: z.string().max(2000).optional(),
  documentPrefix: z.string().max(2000).optional(),
  dtype: z.enum(dtypes).default('q8'),
  maxTokens: z.int().min(8).max(32_768).optional(),
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

const embedding = common.extend({
  pooling: z.enum(['mean', 'cls', 'last', 'model']).optional(),
  dimensions: z.int().min(1).optional(),
})

const crossEncoder = common.extend({
  score: z.enum(['sigmoid', 'logit']).default('sigmoid'),
  depth: z.int().min(1).max(200).default(30),
  task: z.string().min(1).max(1000).optional(),
})

/** Where downloads go when the settings do not say. */
type Defaults = { readonly cacheDir: string }

/**
 * Checks settings from a configuration and fills in defaults: those of the model's family where its name tells it
 * (see {@link families}), else mean pooling, no prefixes and 512 tokens. What the model's repository says of itself takes the place of
 * these defaults when it is opened.
 *
 * @param written - the configuration's object; unknown keys are refused
 * @throws EmbeddingModelError naming every wrong field
 */
export function transformersOptions(written: unknown, defaults: Defaults): TransformersOptions {
  const { dimensions, pooling, ...rest } = checked(embedding, written, defaults)
  const family = familyOf(rest.model)
  return {
    ...withDefaults(rest, family, keysOf(written)),
    pooling: pooling ?? family.pooling,
    ...(dimensions === undefined ? {} : { dimensions }),
  }
}

/**
 * Checks settings of a cross-encoder and fills in defaults: no prefixes and 512 tokens, which is what cross-encoders are
 * trained with.
 *
 * @param written - the configuration's object; unknown keys are refused
 * @throws EmbeddingModelError naming every wrong field
 */
export function crossEncoderOptions(written: unknown, defaults: Defaults): CrossEncoderOptions {
  const { score, depth, task, ...rest } = checked(crossEncoder, written, defaults)
  const plain = { queryPrefix: '', documentPrefix: '', maxTokens: 512 }
  return {
    ...withDefaults(rest, plain, keysOf(written)),
    score,
    depth,
    ...(task === undefined ? {} : { task }),
  }
}

function checked<Schema extends typeof embedding | typeof crossEncoder>(
  schema: Schema,
  written: unknown,
  defaults: Defaults,
): z.output<Schema> {
  const read = schema.safeParse(isObject(written) ? { ...defaults, ...written } : written)
  if (read.success) return read.data as z.output<Schema>
  const [variable, example] =
    schema === crossEncoder ? ['AUDITION_RERANKER', 'depth=50'] : ['AUDITION_MODEL', 'maxTokens=256']
  const wrong = read.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `there is no setting ${issue.keys.map((key) => `"${key}"`).join(', ')}`
      : `${issue.path.join('.') || 'model'}: ${issue.message}`,
  )
  throw new EmbeddingModelError(
    `${variable} has settings that transformers: does not take: ${wrong.join('; ')}.`,
    `It takes ${Object.keys(schema.shape).join(', ')}: write for example ?${example}. docs/models.md explains each.`,
  )
}

type FromFamily = Pick<ModelOptions, 'queryPrefix' | 'documentPrefix' | 'maxTokens'>

function withDefaults(
  { localModelPath, hubUrl, revision, ...given }: z.output<typeof common>,
  family: FromFamily,
  stated: readonly string[],
): ModelOptions {
  return {
    ...given,
    stated,
    ...(revision === undefined ? {} : { revision }),
    queryPrefix: given.queryPrefix ?? family.queryPrefix,
    documentPrefix: given.documentPrefix ?? family.documentPrefix,
    maxTokens: given.maxTokens ?? family.maxTokens,
    hubUrl: hubUrl.endsWith('/') ? hubUrl : `${hubUrl}/`,
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

const keysOf = (written: unknown): readonly string[] => (isObject(written) ? Object.keys(written) : [])

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** How token vectors become one: their mean, the first, the last, or the model's own `sentence_embedding` output. */
export type Pooling = 'mean' | 'cls' | 'last' | 'model'

/** What the card of a model family asks of its callers. */
type Family = {
  /** Matched against the last part of the model's name, in lower case. */
  readonly matches: RegExp
  readonly pooling: Pooling
  readonly queryPrefix: string
  readonly documentPrefix: string
  /** Tokens the family was trained to read, capped at 512: cards are short, and time grows faster than length. */
  readonly maxTokens: number
}

const searchingPassages = 'Represent this sentence for searching relevant passages: '
const webSearchTask =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'

const family = (
  matches: RegExp,
  pooling: Pooling,
  rest: Partial<Omit<Family, 'matches' | 'pooling'>> = {},
): Family => ({ matches, pooling, queryPrefix: '', documentPrefix: '', maxTokens: 512, ...rest })

/** Well-known families, narrower patterns first; the first match counts. */
export const families: readonly Family[] = [
  family(/^multilingual-e5-.*-instruct/, 'mean', { queryPrefix: `${webSearchTask} ` }),
  family(/^e5-mistral/, 'last', { queryPrefix: `${webSearchTask} ` }),
  family(/^(multilingual-)?e5-(small|base|large)/, 'mean', {
    queryPrefix: 'query: ',
    documentPrefix: 'passage: ',
  }),
  family(/^bge-(small|base|large)-en/, 'cls', { queryPrefix: searchingPassages }),
  family(/^bge-(small|base|large)-zh/, 'cls', { queryPrefix: '为这个句子生成表示以用于检索相关文章：' }),
  family(/^bge-m3/, 'cls'),
  family(/^gte-qwen/, 'last', { queryPrefix: `${webSearchTask} ` }),
  family(/^gte-(.*-v1\.5|multilingual|modernbert)/, 'cls'),
  family(/^gte-(tiny|small|base|large)/, 'mean'),
  family(/^all-minilm-l12-/, 'mean', { maxTokens: 128 }),
  family(/^all-minilm-/, 'mean', { maxTokens: 256 }),
  family(/^paraphrase-multilingual-minilm-/, 'mean', { maxTokens: 128 }),
  family(/minilm/, 'mean'),
  family(/^all-mpnet-base/, 'mean', { maxTokens: 384 }),
  family(/^snowflake-arctic-embed-.*-v2/, 'cls', { queryPrefix: 'query: ' }),
  family(/^snowflake-arctic-embed/, 'cls', { queryPrefix: searchingPassages }),
  family(/^mxbai-embed-large/, 'cls', { queryPrefix: searchingPassages }),
  family(/^nomic-embed-text/, 'mean', {
    queryPrefix: 'search_query: ',
    documentPrefix: 'search_document: ',
  }),
  family(/^jina-embeddings-v2/, 'mean'),
  // Dense layers follow their pooling.
  family(/^embeddinggemma/, 'model', {
    queryPrefix: 'task: search result | query: ',
    documentPrefix: 'title: none | text: ',
  }),
  family(/^mdbr-leaf/, 'model', { queryPrefix: searchingPassages }),
  family(/^kalm-embedding-.*instruct/, 'mean', {
    queryPrefix: 'Instruct: Given a query, retrieve documents that answer the query \n Query: ',
  }),
  family(/^qwen3-embedding/, 'last', { queryPrefix: webSearchTask }),
]

/** What most sentence encoders want; taken for a model of no known family. */
const unknown = family(/^/, 'mean')

/**
 * Finds what a model's card asks for by its name.
 *
 * @param model - hub id or folder; only the part after the last slash or backslash counts
 */
export function familyOf(model: string): Family {
  const name = (model.split(/[/\\]/).findLast((part) => part !== '') ?? '').toLowerCase()
  return families.find(({ matches }) => matches.test(name)) ?? unknown
}

/** What stands before a query and has a place for a task: `Instruct: {task}\nQuery: `, in the spelling of several families. */
const taskPlace = /^(\s*instruct(?:ion)?:[ \t]*)(?:[^\s][^\n]*)?(\n\s*query:[ \t]*)$/i

/**
 * The query as a model wants it that was trained with a task before each query: the instruction stands in the task's place.
 *
 * @param queryPrefix - as the model's repository, its family or the user states it
 * @returns undefined for a model whose prefix has no place for a task
 */
export function instructedQuery(queryPrefix: string, query: string, instruction: string): string | undefined {
  const place = taskPlace.exec(queryPrefix)
  const task = instruction.replace(/\s+/g, ' ').trim()
  return place === null ? undefined : `${place[1]}${task}${place[2]}${query}`
}
