import type { CallableModel, CallableModels } from '../../../assembling/ports.ts'
import type { Backbone } from '../../../domain/card.ts'
import { backboneModel, type LanguageModelSettings, modelSpec } from './language-model.ts'

/** US dollars per million tokens, as the user's settings state them. */
type Prices = { readonly [model: string]: { readonly input: number; readonly output: number } }

/**
 * The models that agents can run on here: the configured one, and what its provider has besides at its own address, under the same key.
 *
 * @throws LanguageModelError when the setting names no model
 */
export function callableModels(configured: LanguageModelSettings | null, prices: Prices): CallableModels {
  if (configured === null) return { configured: null, reached: () => null }
  const callable = (spec: string): CallableModel => {
    const { provider, model } = modelSpec(spec)
    const name = [spec, `${provider}:${model}`, `${provider}/${model}`, model].find((one) =>
      Object.hasOwn(prices, one),
    )
    const price = name === undefined ? undefined : prices[name]!.input + prices[name]!.output
    return {
      backbone: { name: model, id: `${provider}/${model}` },
      ...(price === undefined ? {} : { price }),
    }
  }
  return {
    configured: callable(configured.spec),
    reached(backbone: Backbone) {
      const { settings, stands } = backboneModel(backbone, configured, backbone.name)
      return stands ? null : callable(settings.spec)
    },
  }
}
