import { maskSecrets } from '../../../domain/text/secrets.ts'
import { LanguageModelError } from '../../../evaluation/evaluation-settings.ts'
import { httpGuard } from '../../http/guarded-fetch.ts'
import { type ModelSpec, modelSpec } from './model-spec.ts'
import { type OpenModel, openModel, providers } from './providers.ts'

/** A language model as the user configured it. */
export type LanguageModelSettings = {
  /**
   * `<provider>:<model>` or `<provider>:<base URL>#<model>`, for example `anthropic:claude-sonnet-5` or
   * `openai-compatible:http://127.0.0.1:8080/v1#qwen3`. Providers: openai, anthropic, google, ollama, openai-compatible.
   */
  readonly spec: string
  /** Sent in the provider's own header when present. */
  readonly key?: string
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
export function checkedModel({ spec, key }: LanguageModelSettings): ModelSpec {
  const named = modelSpec(spec)
  if (key === undefined && !named.statesBaseUrl && providers[named.provider].needsKey) {
    throw new LanguageModelError(
      `AUDITION_LLM is "${maskSecrets(spec)}", and there is no key for it.`,
      `Set AUDITION_LLM_KEY to your key of ${new URL(named.baseUrl).host}.`,
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
