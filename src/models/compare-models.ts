import { blendedPrice, type ModelCard, modelKey } from '../domain/model-card.ts'
import type { ModelEstimate, modelEstimates } from './model-estimate.ts'
import type { ModelTask } from './task-table.ts'

/** What is asked of a comparison. */
export type CompareOptions = {
  /** Null compares by the means over all tasks. @defaultValue null */
  readonly task?: string | null
  /** Points of success in a hundred that a dollar more per million tokens has to bring, >= 0. @defaultValue that of the settings */
  readonly priceWeight?: number
  /** US dollars per million tokens, read and written in equal parts: dearer models are left out, and those of unknown price. */
  readonly budget?: number
  /** `tried`: those that can be called, or have outcomes; all where there is none. @defaultValue 'tried' */
  readonly among?: 'tried' | 'callable' | 'all'
}

/** A model among others. */
export type ComparedModel = Omit<ModelCard, 'description'> &
  ModelEstimate & {
    /** What is expected of it less its price; the median of the others' where its own is unknown. */
    readonly score: number
    /** Whether the user can call it: it is in AUDITION_LLM, or the settings. */
    readonly callable: boolean
  }

/** Models, best first. */
export type ModelComparison = {
  readonly task: string | null
  readonly priceWeight: number
  readonly models: readonly ComparedModel[]
  /** Models that are known, and tasks of which there are outcomes. */
  readonly known: number
  readonly tasks: number
}

/** What models are compared by. */
type Ground = {
  readonly cards: readonly ModelCard[]
  /** Those that the user can call; with a price where the settings state it. */
  readonly callable: readonly Pick<ModelCard, 'id' | 'name' | 'price'>[]
  readonly estimates: ReturnType<typeof modelEstimates>
  readonly tasks: number
}

/** Compares models for a task by what was seen of them, and by their prices. Equal ones stand by price, then by id. */
export function compareModels(
  { cards, callable, estimates, tasks }: Ground,
  task: ModelTask | null,
  { priceWeight, budget, among = 'tried' }: CompareOptions & { readonly priceWeight: number },
): ModelComparison {
  const all = mergedModels(cards, callable, estimates.known)
  const isTried = ({ id, callable: can }: Merged): boolean => can || estimates.known.has(modelKey(id))
  const isWanted: (model: Merged) => boolean =
    among === 'callable'
      ? ({ callable: can }) => can
      : among === 'tried' && all.some(isTried)
        ? isTried
        : () => true
  const wanted = all.filter((model) => isWanted(model) && (budget === undefined || priceOf(model) <= budget))
  const scoreOf = priced(wanted, priceWeight)
  const estimateOf = estimates.of(task)
  const models = wanted.map((model): ComparedModel => {
    const estimate = estimateOf(model.id)
    return { ...model, ...estimate, score: scoreOf(model, estimate.estimate) }
  })
  models.sort((a, b) => b.score - a.score || priceOf(a) - priceOf(b) || (a.id < b.id ? -1 : 1))
  return { task: task?.text ?? null, priceWeight, models, known: all.length, tasks }
}

type Merged = Omit<ModelCard, 'description'> & { readonly callable: boolean }

/**
 * Each model once: what can be called, what lists describe, and what only outcomes name. Of one id, a list read later fills in what others
 * leave out; of a model that can be called and no list has by its id, what others that serve it say, but for the price.
 */
function mergedModels(
  cards: readonly ModelCard[],
  callable: Ground['callable'],
  tried: ReadonlySet<string>,
): readonly Merged[] {
  const merged = new Map<string, Merged>()
  const byKey = new Map<string, ModelCard>()
  for (const { description: _, ...card } of cards) {
    merged.set(card.id, { ...card, ...merged.get(card.id), callable: false })
    byKey.set(modelKey(card.id), card)
  }
  for (const model of callable) {
    const { price: _, ...alike } = byKey.get(modelKey(model.id)) ?? { price: undefined }
    merged.set(model.id, { ...alike, ...merged.get(model.id), ...model, callable: true })
  }
  const keys = new Set([...merged.keys()].map(modelKey))
  for (const key of tried) if (!keys.has(key)) merged.set(key, { id: key, name: key, callable: false })
  return [...merged.values()]
}

/** Unknown prices come last among equals. */
const priceOf = ({ price }: Pick<ModelCard, 'price'>): number =>
  price === undefined ? Number.POSITIVE_INFINITY : blendedPrice(price)

/** What a model is worth: what is expected of it, less its price at a weight. */
export function priced(
  models: readonly Pick<ModelCard, 'price'>[],
  priceWeight: number,
): (model: Pick<ModelCard, 'price'>, estimate: number) => number {
  const known = models
    .map(priceOf)
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const median = known[Math.floor((known.length - 1) / 2)] ?? 0
  return (model, estimate) => {
    const price = priceOf(model)
    return estimate - (priceWeight / 100) * (Number.isFinite(price) ? price : median)
  }
}
