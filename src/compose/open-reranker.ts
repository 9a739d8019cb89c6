import { join } from 'node:path'
import type { Tokens } from '../domain/tokens.ts'
import type { Retrying } from '../adapters/http/retrying-fetch.ts'
import type { Config } from '../config.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { LanguageModelError } from '../evaluation/evaluation-settings.ts'
import type { CrossEncoder, CrossEncoderStage } from '../retrieval/rank/cross-encoder.ts'
import { RerankerError } from '../retrieval/rank/service-failures.ts'
import type { Spending } from '../retrieval/rank/spending.ts'
import { languageModelOf } from './language-models.ts'

/**
 * What reranks; null where nothing is configured.
 *
 * @param fetch - the way to a hub, where a download is allowed
 * @throws RemedyError when it cannot be opened
 */
export async function rerankerOf(
  config: Config,
  fetch: typeof globalThis.fetch,
): Promise<CrossEncoderStage | null> {
  const { reranker } = config
  if (reranker === null) return null
  const kind = reranker.slice(0, reranker.indexOf(':') + 1)
  const line = reranker.slice(kind.length)
  if (kind === 'transformers:') return onThisMachine(config, fetch)
  if (kind === 'rerank:') return remembering(await ofService(line, config))
  if (kind === 'llm:') return remembering(await ofLanguageModel(line, config).catch(retold))
  throw new RerankerError(
    kind === ''
      ? 'AUDITION_RERANKER names no kind of reranker.'
      : `AUDITION_RERANKER begins with "${kind}", which is no kind of reranker.`,
    'Write transformers:<folder or hub id>, rerank:<address>#<model> or llm:<provider>:<model>, for example rerank:cohere#rerank-v3.5 or llm:ollama:qwen3:8b.',
  )
}

/** What is wrong with a line of ours may stand in an answer. */
function retold(error: unknown): never {
  throw error instanceof LanguageModelError
    ? new RerankerError(error.message, error.remedy, { cause: error })
    : error
}

/** What a key goes to: the service or provider before the model. */
const placeOf = (line: string): string =>
  /^(?:rerank:[^#?]*|llm:[a-z-]+(?::https?:[^#?]*)?)/.exec(line)?.[0] ?? ''

/**
 * The configured reranker, if any, then those that are named, each once. AUDITION_RERANKER_KEY goes to the place of the first alone;
 * others have keys by their provider's name.
 *
 * @throws RemedyError when one cannot be opened
 */
export async function rerankersOf(
  config: Config,
  specs: readonly string[],
  fetch: typeof globalThis.fetch,
): Promise<readonly CrossEncoderStage[]> {
  const { rerankerKey, rerankerKeys = {}, ...keyless } = config
  const lines = [...new Set([config.reranker ?? [], ...specs].flat())]
  const first = lines.map(placeOf).find((place) => place !== '')
  const opened: CrossEncoderStage[] = []
  try {
    for (const reranker of lines) {
      const place = placeOf(reranker)
      const key =
        rerankerKeys[place.slice(place.indexOf(':') + 1)] ?? (place === first ? rerankerKey : undefined)
      const stage = await rerankerOf({ ...keyless, reranker, ...(key && { rerankerKey: key }) }, fetch)
      if (stage !== null) opened.push({ ...stage, ...(place && { name: reranker }) })
    }
    return opened
  } catch (error) {
    await Promise.all(opened.map(({ encoder }) => encoder.close()))
    const isOfFlag = opened.length > 0 || config.reranker === null
    throw isOfFlag && RemedyError.isInstance(error)
      ? new RerankerError(error.message.replace(/^AUDITION_RERANKER\b/, '--reranker'), error.remedy)
      : error
  }
}

async function onThisMachine(
  { reranker, cache, downloads = cache }: Config,
  fetch: typeof globalThis.fetch,
): Promise<CrossEncoderStage> {
  const [{ settingsOfSpec }, { crossEncoderOptions }, { transformersCrossEncoder }] = await Promise.all([
    import('../adapters/transformers/files/model-id.ts'),
    import('../adapters/transformers/files/options.ts'),
    import('../adapters/transformers/transformers-models.ts'),
  ])
  const spelling = { variable: 'AUDITION_RERANKER', example: 'Xenova/ms-marco-MiniLM-L-6-v2' }
  const options = crossEncoderOptions(settingsOfSpec(reranker ?? '', spelling), {
    cacheDir: join(downloads, 'models'),
  })
  return { encoder: await transformersCrossEncoder(options, { fetch }), depth: options.depth }
}

async function ofService(line: string, config: Config): Promise<CrossEncoderStage> {
  const [{ rerankOptions }, { rerankApi }] = await Promise.all([
    import('../adapters/rerank-api/options.ts'),
    import('../adapters/rerank-api/rerank-api.ts'),
  ])
  const { rerankerKey: key } = config
  const options = rerankOptions(line, key)
  const { base, model, depth, seconds } = options
  const [send, spending] = await Promise.all([
    sendTo(base, { longestWaitMs: seconds * 1000 }),
    // Their tokens are many and cheap: money alone bounds them.
    spendingOf(config, { provider: 'rerank', model, baseUrl: base, boundsTokens: false }),
  ])
  return { encoder: rerankApi(options, { key, send, spending }), depth }
}

async function ofLanguageModel(line: string, config: Config): Promise<CrossEncoderStage> {
  const [{ llmReranker, llmRerankerOptions }, { checkedModel, modelSpec }] = await Promise.all([
    import('../adapters/ai-sdk/listwise/llm-reranker.ts'),
    import('../adapters/ai-sdk/models/language-model.ts'),
  ])
  const options = llmRerankerOptions(line)
  const variable = 'AUDITION_RERANKER'
  const { spec, seconds, depth } = options
  const own = modelSpec(spec, variable)
  const { rerankerKey } = config
  const languageModel = await languageModelOf(config)
  // The key of AUDITION_LLM goes where AUDITION_LLM sends it, and nowhere else.
  const shares = (other: string): boolean => {
    const { provider, baseUrl } = modelSpec(other)
    return provider === own.provider && baseUrl === own.baseUrl
  }
  const key =
    rerankerKey ?? (languageModel?.key && shares(languageModel.spec) ? languageModel.key : undefined)
  const settings = { spec, variable, ...(key === undefined ? {} : { key }) }
  const { baseUrl, provider, model } = checkedModel(settings)
  const [send, spending] = await Promise.all([
    sendTo(baseUrl, { longestWaitMs: seconds * 1000 }),
    spendingOf(config, { provider, model, baseUrl, boundsTokens: true }),
  ])
  return { encoder: llmReranker(options, { settings, send, spending }), depth }
}

/** The way to what the user named, by which nothing is sent again that may have been done unless `retrying` says so. */
export async function sendTo(base: string, retrying: Retrying): Promise<typeof globalThis.fetch> {
  const [{ fetchOfModel }, { retryingFetch }] = await Promise.all([
    import('../adapters/ai-sdk/models/language-model.ts'),
    import('../adapters/http/retrying-fetch.ts'),
  ])
  return retryingFetch(fetchOfModel(new URL(base)), retrying)
}

type Paid = {
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
  readonly boundsTokens: boolean
}

/** Holds a reranker to the budget of the user's settings, as long as it is open. */
async function spendingOf({ settings: file }: Config, { boundsTokens, ...named }: Paid): Promise<Spending> {
  const [{ readSettings }, { budgetAccount }, { defaultLimits }, { costOf }] = await Promise.all([
    import('../probing/settings/settings-file.ts'),
    import('../probing/budget.ts'),
    import('../probing/ports.ts'),
    import('../adapters/ai-sdk/models/callable-models.ts'),
  ])
  const { budget, prices } = await readSettings(file)
  const account = budgetAccount(boundsTokens ? budget : { ...budget, tokens: null })
  const price = (tokens: Tokens) => costOf(tokens, { spec: named.model, named, prices })
  return {
    reserve(estimate) {
      const tokens = estimate.input + estimate.output
      const held = account.reserve({ ...defaultLimits, tokens, cost: price(estimate) ?? null })
      if (typeof held === 'string' || held.isReduced) {
        if (typeof held !== 'string') held.settle(null)
        throw new RerankerError(
          `A request to ${named.model} of up to ${tokens} tokens goes beyond the budget of this run: ${account.spent().tokens} tokens and $${account.spent().cost.toFixed(4)} of it are used.`,
          'Raise budget in settings.yaml (tokens, cost), or lower depth in AUDITION_RERANKER.',
        )
      }
      return (used) => {
        const cost = used === null ? undefined : price(used)
        held.settle(used === null ? null : { tokens: used, cost: cost ?? null })
        return cost
      }
    },
  }
}

/** What leaves this machine: without tokens that show by their shape, and the same not twice. */
async function remembering({ encoder, depth }: CrossEncoderStage): Promise<CrossEncoderStage> {
  const [{ rememberScores }, { maskSecrets }] = await Promise.all([
    import('../retrieval/rank/remembered-scores.ts'),
    import('../domain/text/secrets.ts'),
  ])
  const masked: CrossEncoder['score'] = (query, documents, watch) =>
    encoder.score(
      maskSecrets(query),
      documents.map((document) => maskSecrets(document)),
      watch,
    )
  return { encoder: rememberScores({ ...encoder, score: masked }), depth }
}

/**
 * The reranker of a search that takes one where it can be had: one that cannot be opened fails when it is to read, as one that cannot
 * be reached does, and the search says so.
 */
export async function rerankerOrFailing(
  open: () => Promise<CrossEncoderStage | null>,
): Promise<CrossEncoderStage | null> {
  return open().catch((error: unknown) => ({
    encoder: { id: 'AUDITION_RERANKER', score: () => Promise.reject(error), close: async () => {} },
    depth: 1,
  }))
}
