import type { ModelSpec } from './language-model.ts'

/** US dollars per million tokens, by model: as AUDITION_LLM writes it, as profiles do, or by its bare name. */
export type ModelPrices = {
  readonly [model: string]: { readonly input: number; readonly output: number }
}

/**
 * What tokens cost.
 *
 * @param spec - the model as AUDITION_LLM names it
 * @returns undefined when nobody stated the prices of the model
 */
export function costOf(
  tokens: { readonly input: number; readonly output: number },
  {
    spec,
    named,
    prices,
  }: {
    readonly spec: string
    readonly named: Pick<ModelSpec, 'model'> & { readonly provider: string }
    readonly prices: ModelPrices
  },
): number | undefined {
  const names = [spec, `${named.provider}:${named.model}`, `${named.provider}/${named.model}`, named.model]
  const name = names.find((one) => Object.hasOwn(prices, one))
  const price = name === undefined ? undefined : prices[name]
  return price === undefined
    ? undefined
    : (tokens.input * price.input + tokens.output * price.output) / 1_000_000
}
