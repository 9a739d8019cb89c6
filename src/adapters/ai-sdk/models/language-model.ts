import { maskSecrets } from '../../../domain/text/secrets.ts'
import { LanguageModelError } from '../../../evaluation/evaluation-settings.ts'
import { isWebAddress } from '../../http/ask-json.ts'
import { httpGuard } from '../../http/guarded-fetch.ts'
import { type OpenModel, openModel, type ProviderName, providers } from './providers.ts'
import type { Backbone } from '../../../domain/card.ts'
import { RuntimeError } from '../../../probing/ports.ts'

/** A language model as the user configured it. */
export type LanguageModelSettings = {
  /**
   * `<provider>:<model>` or `<provider>:<base URL>#<model>`, for example `anthropic:claude-sonnet-5` or
   * `openai-compatible:http://127.0.0.1:8080/v1#qwen3`. Providers: openai, anthropic, google, ollama, openai-compatible.
   */
  readonly spec: string
  /** Sent in the provider's own header when present. */
  readonly key?: string
  /** What it was read from, for errors. @defaultValue 'AUDITION_LLM' */
  readonly variable?: string
  /** The variable of its key. @defaultValue that of {@link variable} with `_KEY` */
  readonly keyVariable?: string
  /** Models that agents may run on besides. */
  readonly others?: readonly Omit<LanguageModelSettings, 'others'>[]
}

/**
 * Opens the configured model. Its provider's package is loaded now; nothing is sent yet.
 *
 * @param fetch - what sends requests; by default {@link fetchOfModel}
 * @throws LanguageModelError when the setting names no endpoint or model, or the provider's own address needs a key
 */
export async function languageModel(
  settings: LanguageModelSettings,
  fetch?: typeof globalThis.fetch,
): Promise<OpenModel> {
  const { provider, baseUrl, model } = checkedModel(settings)
  return openModel(provider, {
    baseUrl,
    model,
    fetch: fetch ?? fetchOfModel(new URL(baseUrl)),
    ...(settings.key === undefined ? {} : { key: settings.key }),
  })
}

/**
 * What the setting names. Loads and sends nothing.
 *
 * @throws LanguageModelError as {@link languageModel}
 */
export function checkedModel({
  spec,
  key,
  variable = 'AUDITION_LLM',
  keyVariable = `${variable}_KEY`,
}: LanguageModelSettings): ModelSpec {
  const named = modelSpec(spec, variable)
  if (key === undefined && !named.statesBaseUrl && providers[named.provider].needsKey) {
    throw new LanguageModelError(
      `${variable} is "${kindOf(variable)}${maskSecrets(spec)}", and there is no key for it.`,
      `Set ${keyVariable} to your key of ${new URL(named.baseUrl).host}.`,
    )
  }
  return named
}

/**
 * The way to a model that the user configured, wherever it is. A redirect is never followed here, since some
 * providers' key headers would follow to another host.
 */
export function fetchOfModel({ host }: URL): typeof globalThis.fetch {
  const send = httpGuard({ privateHosts: [host] }).fetch('user')
  return (input, init) => send(input, { ...init, redirect: init?.redirect === 'manual' ? 'manual' : 'error' })
}

/** A language model as its configuration line names it. */
export type ModelSpec = {
  readonly provider: ProviderName
  /** Absolute `http(s)` address without a trailing slash: the one the line states, else the provider's own. */
  readonly baseUrl: string
  /** Whether the line states the address. */
  readonly statesBaseUrl: boolean
  readonly model: string
}

/** What stands before the model where a setting takes others too. */
const kindOf = (variable: string): string => (variable === 'AUDITION_RERANKER' ? 'llm:' : '')

const examplesOf = (kind: string): string =>
  `${kind}anthropic:claude-sonnet-5, ${kind}ollama:qwen3:8b or ${kind}openai-compatible:http://127.0.0.1:8080/v1#my-model`

/**
 * Reads `<provider>:<model>` or `<provider>:<base URL>#<model>`; `openai-compatible` has no address of its own.
 *
 * @throws LanguageModelError when the line names no provider, endpoint or model; it never repeats credentials
 */
export function modelSpec(line: string, variable = 'AUDITION_LLM'): ModelSpec {
  const kind = kindOf(variable)
  const refusal = (remedy: string) => refusedLine(line, remedy, variable)
  const colon = line.indexOf(':')
  const provider = Object.keys(providers).find((name) => name === line.slice(0, colon))
  if (colon < 0 || !isProviderName(provider)) {
    throw refusal(
      kind === ''
        ? `Begin it with one of ${Object.keys(providers).join(', ')}`
        : `Write ${kind}<provider>:<model> with one of ${Object.keys(providers).join(', ')}`,
    )
  }
  const rest = line.slice(colon + 1)
  const own = providers[provider].baseUrl
  if (!/^[a-z]+:\/\//i.test(rest)) {
    if (own === undefined) throw refusal(`Write ${kind}${provider}:<base URL>#<model>`)
    if (!isModelName(rest)) throw refusal(`Write ${kind}${provider}:<model>`)
    return { provider, baseUrl: own, statesBaseUrl: false, model: rest }
  }
  const mark = rest.indexOf('#')
  const address = mark < 0 ? rest : rest.slice(0, mark)
  const model = mark < 0 ? '' : rest.slice(mark + 1)
  if (!isWebAddress(address) || new URL(address).search !== '' || !isModelName(model)) {
    throw refusal(`Write ${kind}${provider}:<base URL>#<model>`)
  }
  return { provider, baseUrl: address.replace(/(?<!\/)\/+$/, ''), statesBaseUrl: true, model }
}

const isProviderName = (name: string | undefined): name is ProviderName =>
  name !== undefined && Object.hasOwn(providers, name)

const isModelName = (name: string): boolean => /^[^\s#]+$/.test(name)

const refusedLine = (line: string, remedy: string, variable: string): LanguageModelError =>
  new LanguageModelError(
    line.includes('@') || line.includes('?')
      ? `${variable} names no model, or its address holds more than host and path.`
      : `${variable} is "${kindOf(variable)}${maskSecrets(line)}", which names no model.`,
    `${remedy}, for example ${examplesOf(kindOf(variable))}; a key stands in ${variable}_KEY.`,
  )

/** The model that an agent runs on here. */
type ChosenModel = {
  readonly settings: LanguageModelSettings
  readonly model: ModelSpec
  /** For the transcript: which it is, and in place of which. */
  readonly statement: string
  /** Whether it stands in for another, which cannot be called. */
  readonly stands: boolean
}

/**
 * The models of a setting, first the one that is used where one is. One without a key has that of another of its provider at the same
 * address.
 *
 * @throws LanguageModelError when a line names no model
 */
export function configuredModels({
  others = [],
  ...first
}: LanguageModelSettings): readonly LanguageModelSettings[] {
  const all = [first, ...others]
  const specs = all.map(({ spec, variable }) => modelSpec(spec, variable))
  return all.map((one, at) => {
    const { provider, baseUrl } = specs[at]!
    const key =
      one.key ??
      all.find(
        (other, place) =>
          other.key !== undefined && specs[place]!.provider === provider && specs[place]!.baseUrl === baseUrl,
      )?.key
    return key === undefined ? one : { ...one, key }
  })
}

/**
 * Chooses the model for an agent. What its card names is taken when a configured line is that very model, or of the same provider (its own
 * address, whose key then fits); otherwise the first configured model stands in, and the statement says so.
 *
 * @param configured - AUDITION_LLM; null when there is none
 * @throws RuntimeError when no model is configured, or the line names none
 */
export function backboneModel(
  backbone: Pick<Backbone, 'name' | 'id'> | null,
  configured: LanguageModelSettings | null,
  id: string,
): ChosenModel {
  if (configured === null) {
    throw new RuntimeError(
      `${id} needs a language model, and none is configured`,
      'Set AUDITION_LLM, for example AUDITION_LLM=anthropic:claude-sonnet-5 and AUDITION_LLM_KEY, or AUDITION_LLM=ollama:qwen3:8b.',
    )
  }
  const all = readableModels(configured)
  const [{ settings: first, model }] = all
  const wanted = backbone?.id ?? backbone?.name
  if (backbone === null || wanted === undefined) {
    return { settings: first, model, stands: false, statement: `model: ${first.spec}` }
  }
  const same = all.find((one) => isSame(wanted, one.model))
  if (same !== undefined)
    return { ...same, model: readable(same.settings), stands: false, statement: namedByAgent(same.settings) }
  const [provider, name] = splitId(wanted)
  const near = all.find((one) => provider === one.model.provider && name !== '' && !one.model.statesBaseUrl)
  if (near !== undefined) {
    const settings = { ...near.settings, spec: `${provider}:${name}` }
    return { settings, model: readable(settings), stands: false, statement: namedByAgent(settings) }
  }
  return {
    settings: first,
    model,
    stands: true,
    statement: `model: ${first.spec}, in place of ${wanted}, which the agent names`,
  }
}

const namedByAgent = ({ spec }: LanguageModelSettings): string => `model: ${spec}, as the agent names it`

type ReadModel = { readonly settings: LanguageModelSettings; readonly model: ModelSpec }

/** The first is read strictly; of the others a key may be missing until one is chosen. */
function readableModels(configured: LanguageModelSettings): readonly [ReadModel, ...ReadModel[]] {
  const [first, ...others] = orRuntimeError(() => configuredModels(configured))
  return [
    { settings: first!, model: readable(first!) },
    ...others.map((settings) => ({ settings, model: modelSpec(settings.spec, settings.variable) })),
  ]
}

/** `anthropic/claude-sonnet-5` of a profile is `anthropic:claude-sonnet-5`; routers name models with the provider. */
const isSame = (wanted: string, { provider, model }: ModelSpec): boolean =>
  wanted === model || wanted === `${provider}/${model}` || splitId(wanted)[1] === model

const splitId = (id: string): readonly [provider: string, name: string] => {
  const slash = id.indexOf('/')
  return slash < 0 ? ['', ''] : [id.slice(0, slash), id.slice(slash + 1)]
}

const readable = (settings: LanguageModelSettings): ModelSpec => orRuntimeError(() => checkedModel(settings))

function orRuntimeError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof LanguageModelError)) throw error
    throw new RuntimeError(error.message, error.remedy, { cause: error })
  }
}
