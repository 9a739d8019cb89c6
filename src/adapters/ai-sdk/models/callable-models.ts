import type { CallableModel, CallableModels } from '../../../assembling/ports.ts'
import type { Backbone } from '../../../domain/card.ts'
import { backboneModel, configuredModels, type LanguageModelSettings, modelSpec } from './language-model.ts'
import { type ModelPrices, priceOf } from './prices.ts'

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
