import type { ModelPrice } from '../../../domain/model-card.ts'

/** US dollars per million tokens, by model: as AUDITION_LLM writes it, as profiles do, or by its bare name. */
export type ModelPrices = { readonly [model: string]: ModelPrice }

/** A model as AUDITION_LLM names it, and what it is of that. */
export type NamedModel = {
  readonly spec: string
  readonly named: { readonly provider: string; readonly model: string }
}

/** Undefined when nobody stated the prices of the model. */
export const priceOf = (
  { spec, named: { provider, model } }: NamedModel,
  prices: ModelPrices,
): ModelPrice | undefined => {
  const names = [spec, `${provider}:${model}`, `${provider}/${model}`, model]
  const name = names.find((one) => Object.hasOwn(prices, one))
  return name === undefined ? undefined : prices[name]
}

/** What tokens cost; undefined when nobody stated the prices of the model. */
export function costOf(
  tokens: { readonly input: number; readonly output: number },
  { prices, ...model }: NamedModel & { readonly prices: ModelPrices },
): number | undefined {
  const price = priceOf(model, prices)
  return price && (tokens.input * price.input + tokens.output * price.output) / 1_000_000
}
