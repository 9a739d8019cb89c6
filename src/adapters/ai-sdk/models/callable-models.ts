import type { CallableModel, CallableModels } from '../../../assembling/ports.ts'
import type { Backbone } from '../../../domain/card.ts'
import { backboneModel, configuredModels, type LanguageModelSettings, modelSpec } from './language-model.ts'
import type { ModelPrices } from './prices.ts'

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
    const { provider, model } = modelSpec(spec, variable)
    const name = [spec, `${provider}:${model}`, `${provider}/${model}`, model].find((one) =>
      Object.hasOwn(prices, one),
    )
    return {
      backbone: { name: model, id: `${provider}/${model}` },
      ...(name === undefined ? {} : { price: prices[name]! }),
    }
  }
  return {
    configured: configuredModels(configured).map(callable),
    reached(backbone: Backbone) {
      const { settings, stands } = backboneModel(backbone, configured, backbone.name)
      return stands ? null : callable(settings)
    },
  }
}
