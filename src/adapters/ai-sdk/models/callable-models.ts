import type { CallableModel, CallableModels } from '../../../assembling/ports.ts'
import type { Backbone } from '../../../domain/card.ts'
import { backboneModel, configuredModels, type LanguageModelSettings, modelSpec } from './language-model.ts'
import type { ModelPrice } from '../../../domain/model-card.ts'

/** US dollars per million tokens, by model: as AUDITION_LLM writes it, as profiles do, or by its bare name. */
export type ModelPrices = { readonly [model: string]: ModelPrice }

/** A model as AUDITION_LLM names it, and what it is of that. */
export type ProviderModel = {
  readonly spec: string
  readonly named: { readonly provider: string; readonly model: string }
}

/** Undefined when nobody stated the prices of the model. */
const priceOf = (
  { spec, named: { provider, model } }: ProviderModel,
  prices: ModelPrices,
): ModelPrice | undefined => {
  const names = [spec, `${provider}:${model}`, `${provider}/${model}`, model]
  const name = names.find((one) => Object.hasOwn(prices, one))
  return name === undefined ? undefined : prices[name]
}

/** What tokens cost; undefined when nobody stated the prices of the model. */
export function costOf(
  tokens: { readonly input: number; readonly output: number },
  { prices, ...model }: ProviderModel & { readonly prices: ModelPrices },
): number | undefined {
  const price = priceOf(model, prices)
  return price && (tokens.input * price.input + tokens.output * price.output) / 1_000_000
}

/**
 * The models that agents can run on here: the configured ones, and what their providers have besides at their own addresses, under the
 * same keys.
 *
 * @throws LanguageModelError when the setting names no model
 */
export function callableModels(
  configured: LanguageModelSettings | null,
  prices: ModelPrices,
): CallableModels {
  if (configured === null) return { configured: [], reached: () => null }
  const callable = ({ spec, variable }: LanguageModelSettings): CallableModel => {
    const named = modelSpec(spec, variable)
    const { provider, model } = named
    const price = priceOf({ spec, named }, prices)
    return { backbone: { name: model, id: `${provider}/${model}` }, ...(price && { price }) }
  }
  return {
    configured: configuredModels(configured).map(callable),
    reached(backbone: Backbone) {
      const { settings, stands } = backboneModel(backbone, configured, backbone.name)
      return stands ? null : callable(settings)
    },
  }
}
