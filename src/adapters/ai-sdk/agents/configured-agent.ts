import type { Backbone } from '../../../domain/card.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { SessionSettings } from './attached-tools.ts'
import {
  type LanguageModelSettings,
  backboneModel,
  fetchOfModel,
  languageModel,
} from '../models/language-model.ts'
import { costOf, type ModelPrices } from '../models/callable-models.ts'
import type { ModelAgent } from './model-agent.ts'
import { callPolicy } from './policy-settings.ts'
import type { WantedTools } from './profile-servers.ts'
import { type LaunchPart, shortened, textPart } from '../../../trust/launches/bound-launch.ts'
import { maskSecrets } from '../../../domain/text/secrets.ts'

/** What agents on the configured language model are run with. */
export type ModelSurroundings = SessionSettings & {
  /** AUDITION_LLM and its key; null when none is configured. */
  readonly languageModel: LanguageModelSettings | null
  /** As the user's settings state them; without them costs are unknown. */
  readonly prices?: ModelPrices
}

/** An agent as its file describes it. */
type DescribedAgent = {
  readonly id: string
  readonly backbone: Pick<Backbone, 'name' | 'id'> | null
  readonly instructions: string
  readonly policy: JsonObject
  readonly wanted: WantedTools
  readonly notes: ModelAgent['notes']
}

/** An agent on the configured model, with what people should know of the model. */
export type ConfiguredAgent = {
  readonly agent: ModelAgent
  /** As AUDITION_LLM would name it. */
  readonly spec: string
  readonly url: URL
}

/**
 * Puts a described agent on the model that is configured for it.
 *
 * @throws RuntimeError when there is none
 */
export function configuredAgent(
  { id, backbone, instructions, policy, wanted, notes }: DescribedAgent,
  options: ModelSurroundings,
): ConfiguredAgent {
  const { settings, model, statement } = backboneModel(backbone, options.languageModel, id)
  const { spec, key } = settings
  const url = new URL(model.baseUrl)
  const agent: ModelAgent = {
    notes: [{ text: statement }, ...notes],
    model: `${model.provider}/${model.model}`,
    open: (fetch) => languageModel(settings, fetch),
    send: fetchOfModel(url),
    headers: {},
    secrets: key === undefined ? [] : [key],
    instructions,
    policy: callPolicy(policy, spec),
    wanted,
    sessions: options,
    costOf: (tokens) => costOf(tokens, { spec, named: model, prices: options.prices ?? {} }),
    async failure(error, hadAnswers) {
      const { modelFailure } = await import('../models/model-failure.ts')
      return modelFailure(error, { spec, hadAnswers, ...(key === undefined ? {} : { key }) })
    },
  }
  return { agent, spec, url }
}

/** What an agent is told to do and how its model is set, as its file says it: both decide what a run does. */
export function agentParts({
  instructions,
  policy,
}: {
  readonly instructions: string
  readonly policy: JsonObject
}): readonly LaunchPart[] {
  const settings = JSON.stringify(Object.entries(policy).sort(([a], [b]) => (a < b ? -1 : 1)))
  return [
    ...(Object.keys(policy).length === 0
      ? []
      : [{ name: 'policy', exact: settings, shown: shortened(maskSecrets(JSON.stringify(policy))) }]),
    ...(instructions === '' ? [] : [textPart('instructions', instructions)]),
  ]
}
