import type { LanguageModel, LanguageModelMiddleware, wrapLanguageModel } from 'ai'
import { reportedCount } from '../../../retrieval/rank/spending.ts'
import { currentWatcher, watched } from '../../../watching/watch.ts'

/** A model that can be asked: the AI SDK's port, never the name of one in its gateway. */
export type OpenModel = Exclude<LanguageModel, string>

/** What every provider needs. */
type ProviderOptions = {
  readonly baseUrl: string
  readonly model: string
  readonly key?: string
  readonly fetch: typeof globalThis.fetch
}

/** What may begin a configuration line. */
export type ProviderName = 'openai-compatible' | 'openai' | 'anthropic' | 'google' | 'ollama'

/** A protocol of language models. Its package is loaded when a model is opened, not before. */
type Provider = {
  /** Where its models are when the line does not say; absent when there is no such place. */
  readonly baseUrl?: string
  /** Whether its own address answers only who has a key. */
  readonly needsKey: boolean
  open(options: ProviderOptions): Promise<OpenModel>
}

/** OpenAI's chat protocol, as many servers speak it. */
async function openAiCompatible(
  { baseUrl, model, key, fetch }: ProviderOptions,
  transformRequestBody?: (body: RequestBody) => RequestBody,
): Promise<OpenModel> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    name: 'configured',
    baseURL: baseUrl,
    fetch,
    supportsStructuredOutputs: true,
    ...(key === undefined ? {} : { apiKey: key }),
    ...(transformRequestBody === undefined ? {} : { transformRequestBody }),
  })
  return provider.chatModel(model)
}

type RequestBody = Record<string, unknown>

/** OpenAI calls the limit of an answer by another name than those who follow its protocol. */
function openAiBody({ max_tokens, ...body }: RequestBody): RequestBody {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens }
}

/**
 * Providers by the name that begins a configuration line. The packages read keys and addresses from variables of
 * their own when they are given none: so they are always given both.
 */
export const providers: { readonly [name in ProviderName]: Provider } = {
  'openai-compatible': { needsKey: false, open: (options) => openAiCompatible(options) },
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    open: (options) => openAiCompatible(options, openAiBody),
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    needsKey: true,
    async open({ baseUrl, model, key = '', fetch }) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: baseUrl, apiKey: key, fetch })(model)
    },
  },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    needsKey: true,
    async open({ baseUrl, model, key = '', fetch }) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: key, fetch })(model)
    },
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434/v1',
    needsKey: false,
    open: (options) => openAiCompatible(options),
  },
}

/** Opens a model of a provider. Nothing is sent yet. Counts of tokens that cannot be are as if they were not told. */
export async function openModel(name: ProviderName, options: ProviderOptions): Promise<OpenModel> {
  // The AI SDK would print warnings to standard output, which belongs to the protocol when we serve.
  ;(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false
  const [{ wrapLanguageModel }, model] = await Promise.all([import('ai'), providers[name].open(options)])
  return wrapLanguageModel({
    model: model as Wrapped,
    middleware: [watchedModel(name, options), plausibleUsage],
  })
}

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model']

const plausibleUsage: LanguageModelMiddleware = {
  specificationVersion: 'v3',
  async wrapGenerate({ doGenerate }) {
    const result = await doGenerate()
    const { inputTokens, outputTokens } = result.usage
    const usage = {
      ...result.usage,
      inputTokens: { ...inputTokens, total: reportedCount(inputTokens.total) },
      outputTokens: { ...outputTokens, total: reportedCount(outputTokens.total) },
    }
    return { ...result, usage }
  },
}

/** Providers as the conventions of OpenTelemetry name them; of others the name is ours. */
const conventionalNames: { readonly [name in ProviderName]?: string } = { google: 'gcp.gemini' }

/** Whoever watches is told of each request to a model: how long, how many tokens, and nothing of what was said. */
const watchedModel = (
  name: ProviderName,
  { baseUrl, model }: Pick<ProviderOptions, 'baseUrl' | 'model'>,
): LanguageModelMiddleware => ({
  specificationVersion: 'v3',
  wrapGenerate({ doGenerate }) {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': conventionalNames[name] ?? name,
      'gen_ai.request.model': model,
    }
    const { hostname, port, protocol } = new URL(baseUrl)
    const address = {
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    }
    return watched(
      {
        name: `chat ${model}`,
        kind: 'client',
        metric: 'gen_ai.client.operation.duration',
        attributes: { ...attributes, ...address },
      },
      async (tell) => {
        const result = await doGenerate()
        for (const type of ['input', 'output'] as const) {
          const tokens = result.usage[`${type}Tokens`].total
          if (tokens === undefined) continue
          tell({ [`gen_ai.usage.${type}_tokens`]: tokens })
          const usage = { ...attributes, 'gen_ai.token.type': type }
          currentWatcher()?.record('gen_ai.client.token.usage', tokens, usage)
        }
        return result
      },
    )
  },
})
