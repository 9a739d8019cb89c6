import type { RankerName } from '../retrieval/answer.ts'
import { canRead } from '../retrieval/search/choose-ranker.ts'
import { hasAllParts } from '../retrieval/vectors-of-cards.ts'
import { type EmbeddingModel, RankerError } from '../retrieval/ports.ts'
import { noCrossEncoder } from '../retrieval/search/rerank.ts'
import type { Dataset } from './datasets/dataset.ts'
import type { EvaluationContext, EvaluationSettings } from './evaluation-settings.ts'
import { measureNamed, type NamedMeasure } from './measures/measures.ts'
import type { RunSettings } from './evaluation-run.ts'

/** Settings with every choice made. */
export type RunPlan = {
  /** What ranks: of a model that reads cards the part that reads none, for a ranker that looks at no readings. */
  readonly model: EmbeddingModel | null
  readonly name: string
  readonly settings: RunSettings & { readonly ranker: RankerName | 'given' }
  readonly measures: readonly NamedMeasure[]
}

/** Least number of candidates kept per query: what a report shows, and enough to see what ranked above. */
const leastDepth = 20
/** Candidates kept when a measure looks at the whole ranking; the most that a search gives. */
const wholeDepth = 100

/**
 * Makes every choice that the caller left open.
 *
 * @throws RankerError when a ranker needs vectors or a cross-encoder and there are none; Error when a measure is not known
 */
export function planRun(
  dataset: Dataset,
  chosen: EvaluationSettings,
  { model, modelIs = 'shipped', index, crossEncoder = null }: EvaluationContext,
): RunPlan {
  const corpus = chosen.corpus ?? (dataset.parts.some(({ cards }) => cards.length > 0) ? 'own' : 'index')
  const isGiven = chosen.givenRun !== undefined
  const hasVectors = !isGiven && model !== null && (corpus !== 'index' || (index?.embedding ?? null) !== null)
  const ranker = isGiven
    ? 'given'
    : rankerOf(chosen.ranker ?? 'auto', hasVectors ? model : null, {
        hasCrossEncoder: crossEncoder !== null,
        areRead:
          corpus === 'index' ||
          dataset.parts.every(({ cards }) => model === null || hasAllParts(model, cards.length)),
      })
  const ranking = ranker === 'learned' ? (model?.plain ?? model) : model
  const measures = measuresOf(dataset, chosen)
  const { givenRun, firstStage } = chosen
  const settings: RunPlan['settings'] = {
    ranker,
    ...(givenRun === undefined ? {} : { givenRun: givenRun.label }),
    ...(firstStage === undefined ? {} : { firstStage: firstStage.label }),
    model: ranker === 'lexical' || !hasVectors ? null : (ranking?.id ?? null),
    ...(ranker === 'cross-encoder' && crossEncoder !== null
      ? { crossEncoder: { model: crossEncoder.encoder.id, depth: crossEncoder.depth } }
      : {}),
    corpus,
    instruction: chosen.instruction ?? 'without',
    pack: chosen.pack ?? 'ranking',
    equivalence: chosen.equivalence ?? 'strict',
    ...(chosen.defences === 'on' && corpus !== 'index' ? { defended: true } : {}),
    ...(chosen.absent ? { absent: true } : {}),
    depth: isGiven ? longest(chosen.givenRun) : depthFor(measures, chosen.pack ?? 'ranking'),
  }
  const models = [
    ...(settings.crossEncoder ? [settings.crossEncoder.model] : []),
    ...(modelIs === 'chosen' && settings.model !== null ? [settings.model] : []),
  ].map(shortName)
  const name = chosen.name ?? usualName(settings, chosen, [dataset.name, ...models])
  return { name, model: settings.model === null ? null : ranking, settings, measures }
}

function rankerOf(
  wanted: NonNullable<EvaluationSettings['ranker']>,
  model: EmbeddingModel | null,
  { hasCrossEncoder, areRead }: { readonly hasCrossEncoder: boolean; readonly areRead: boolean },
): RankerName {
  if (wanted === 'cross-encoder' && !hasCrossEncoder) throw noCrossEncoder()
  if (wanted === 'cross-encoder' || (wanted === 'auto' && hasCrossEncoder)) return 'cross-encoder'
  if (wanted === 'auto') {
    if (model === null) return 'lexical'
    return canRead(model) && areRead ? 'reader' : model.ranker ? 'learned' : 'hybrid'
  }
  if (wanted !== 'lexical' && model === null) {
    throw new RankerError(
      `Ranker "${wanted}" needs vectors, and there are none: AUDITION_MODEL=none switches the model off.`,
      'Unset it, name another model there, or take ranker lexical.',
    )
  }
  return wanted
}

function measuresOf(dataset: Dataset, { measures, k }: EvaluationSettings): readonly NamedMeasure[] {
  const names =
    measures ?? dataset.headline.map((name) => (k === undefined ? name : name.replace(/@\d+$/, `@${k}`)))
  const named = names.map(measureNamed)
  return named.filter(({ name }, at) => named.findIndex((other) => other.name === name) === at)
}

/** A diverse answer depends on how many candidates are asked for, so that none beyond the cutoffs are. */
function depthFor(measures: readonly NamedMeasure[], pack: RunSettings['pack']): number {
  const cutoffs = measures.map(({ name }) => Number(/@(\d+)$/.exec(name)?.[1] ?? wholeDepth))
  return Math.min(wholeDepth, Math.max(pack === 'diverse' ? 1 : leastDepth, ...cutoffs))
}

/** All that another system ranked counts. */
const longest = (given: EvaluationSettings['givenRun']): number =>
  [...(given?.rankings.values() ?? [])].reduce((most, { length }) => Math.max(most, length), leastDepth)

/** What people call a model: its id without the adapter, the fingerprint of its weights and settings. */
export const shortName = (id: string): string => id.replace(/^[a-z]+:/, '').replace(/[@?].*/s, '')

/** Parts named one by one in the name of a run. */
const namedParts = 3

/** Says all that sets this run apart from others of the dataset, for people and as the name of its folder. */
function usualName(
  settings: RunSettings,
  chosen: EvaluationSettings,
  [dataset, ...models]: readonly string[],
): string {
  const { limit, parts = [], choices = {} } = chosen
  return [
    dataset,
    settings.givenRun ?? settings.ranker,
    ...models,
    settings.corpus,
    ...(settings.instruction === 'with' ? ['instructed'] : []),
    ...(settings.pack === 'diverse' ? ['diverse'] : []),
    ...(settings.firstStage === undefined ? [] : [`over ${settings.firstStage}`]),
    ...(settings.equivalence === 'aware' ? ['equivalence-aware'] : []),
    ...(settings.defended ? ['defended'] : []),
    ...(settings.absent ? ['with absent'] : []),
    ...Object.entries(choices).map(([choice, value]) => `${choice} ${value}`),
    ...(parts.length > namedParts ? [`${parts.length} parts`] : parts),
    ...(limit === undefined ? [] : [`limit ${limit}`]),
  ].join(' ')
}
