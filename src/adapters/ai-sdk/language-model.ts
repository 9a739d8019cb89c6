import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { LanguageModelError } from '../../evaluation/ports.ts'

/** A language model as the user configured it. */
export type LanguageModelSettings = {
  /** `openai-compatible:<base URL>#<model>`, for example `openai-compatible:http://127.0.0.1:11434/v1#qwen3:8b`. */
  readonly spec: string
  /** Sent as a bearer token when present. */
  readonly key?: string
}

const scheme = 'openai-compatible:'

/**
 * Opens a model behind any endpoint that speaks OpenAI's chat protocol. Nothing is sent yet.
 *
 * @throws LanguageModelError when the setting names no endpoint or model
 */
export function languageModel({ spec, key }: LanguageModelSettings): Exclude<LanguageModel, string> {
  const [address = '', model = ''] = spec.startsWith(scheme) ? spec.slice(scheme.length).split('#', 2) : []
  if (!/^https?:\/\/\S+$/.test(address) || model === '') {
    throw new LanguageModelError(
      `AUDITION_LLM is "${spec}", which names no model.`,
      'Write openai-compatible:<base URL>#<model>, for example openai-compatible:http://127.0.0.1:11434/v1#qwen3:8b.',
    )
  }
  const provider = createOpenAICompatible({
    name: 'configured',
    baseURL: address,
    supportsStructuredOutputs: true,
    ...(key === undefined ? {} : { apiKey: key }),
  })
  return provider.chatModel(model)
}
