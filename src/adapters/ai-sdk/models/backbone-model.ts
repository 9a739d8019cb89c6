import type { Backbone } from '../../../domain/card.ts'
import { LanguageModelError } from '../../../evaluation/evaluation-settings.ts'
import { RuntimeError } from '../../../probing/ports.ts'
import { type LanguageModelSettings, type ModelSpec, checkedModel } from './language-model.ts'

/** The model that an agent runs on here. */
type ChosenModel = {
  readonly settings: LanguageModelSettings
  readonly model: ModelSpec
  /** For the transcript: which it is, and in place of which. */
  readonly statement: string
}

/**
 * Chooses the model for an agent. What its card names is taken when the configured line is of the same provider (its own
 * address, whose key then fits) or is that very model; otherwise the configured model stands in, and the statement says so.
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
  const model = readable(configured)
  const wanted = backbone?.id ?? backbone?.name
  if (backbone === null || wanted === undefined) {
    return { settings: configured, model, statement: `model: ${configured.spec}` }
  }
  if (isSame(wanted, model)) {
    return { settings: configured, model, statement: `model: ${configured.spec}, as the agent names it` }
  }
  const [provider, name] = splitId(wanted)
  if (provider === model.provider && name !== '' && !model.statesBaseUrl) {
    const settings = { ...configured, spec: `${provider}:${name}` }
    const statement = `model: ${settings.spec}, as the agent names it`
    return { settings, model: readable(settings), statement }
  }
  return {
    settings: configured,
    model,
    statement: `model: ${configured.spec}, in place of ${wanted}, which the agent names`,
  }
}

/** `anthropic/claude-sonnet-5` of a profile is `anthropic:claude-sonnet-5`; routers name models with the provider. */
const isSame = (wanted: string, { provider, model }: ModelSpec): boolean =>
  wanted === model || wanted === `${provider}/${model}` || splitId(wanted)[1] === model

const splitId = (id: string): readonly [provider: string, name: string] => {
  const slash = id.indexOf('/')
  return slash < 0 ? ['', ''] : [id.slice(0, slash), id.slice(slash + 1)]
}

function readable(settings: LanguageModelSettings): ModelSpec {
  try {
    return checkedModel(settings)
  } catch (error) {
    if (!(error instanceof LanguageModelError)) throw error
    throw new RuntimeError(error.message, error.remedy, { cause: error })
  }
}
