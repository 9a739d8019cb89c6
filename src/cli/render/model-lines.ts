import { blendedPrice } from '../../domain/model-card.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { ComparedModel, ModelComparison } from '../../models/compare-models.ts'
import type { Output } from '../terminal.ts'
import { fitText } from './text.ts'
import { left, right, tableOf } from './table.ts'

/** Room of one task that tells of a model. */
const taskRoom = 60

/** Models for people, best first: what is expected of each, what it costs, and the nearest tasks that say so. */
export function modelLines(
  { models, known, tasks, task, priceWeight }: ModelComparison,
  found: number,
  output: Output,
): readonly string[] {
  const { paint } = output
  if (models.length === 0) return [known === 0 ? nothingKnown : 'No model is left. Give fewer conditions.']
  const heading = task === null ? 'Models by their means over all tasks' : 'Models for the task'
  return [
    `${paint.bold(heading)} ${paint.dim(`(${models.length} of ${found}, best first; ${countOf(known, 'model')} known, outcomes of ${countOf(tasks, 'task')}; a dollar per million tokens costs ${countOf(priceWeight, 'point')})`)}`,
    ...tableOf(models, output, [
      left('model', ({ id }) => id, { paint: paint.cyan }),
      right('score', ({ score }) => points(score)),
      right('success', ({ estimate }) => points(estimate)),
      right('between', ({ low, high }) => `${points(low)} to ${points(high)}`),
      right('tasks', ({ outcomes }) => outcomes),
      right('$ per M', ({ price }) => (price === undefined ? '?' : dollars(blendedPrice(price)))),
      right('context', ({ context }) => (context === undefined ? '?' : `${Math.round(context / 1000)}k`)),
      left('can', abilities, { least: 8 }),
    ]),
    ...models.slice(0, 3).flatMap(whyLines),
    ...(tasks === 0 ? [paint.yellow(noOutcomes)] : []),
  ]
}

const nothingKnown =
  'No model is known. Set AUDITION_LLM, or run `audition index` on a list of models, such as api.json of models.dev.'
const noOutcomes =
  'Nothing is known of how well models do: `audition probe` finds it out, and `audition index` reads tables of outcomes.'

const points = (share: number): string => (100 * share).toFixed(1)
const dollars = (price: number): string =>
  price === 0 ? '0' : price < 0.995 ? price.toPrecision(2) : price.toFixed(2)

const abilities = ({ callable, tools, reasoning, openWeights }: ComparedModel): string =>
  [
    ...(callable ? ['be called'] : []),
    ...(tools === true ? ['tools'] : []),
    ...(reasoning === true ? ['reasoning'] : []),
    ...(openWeights === true ? ['open weights'] : []),
  ].join(', ')

const whyLines = ({ id, nearest }: ComparedModel): readonly string[] =>
  nearest.length === 0
    ? []
    : [
        `${printableLine(id)}, nearest tasks: ${nearest
          .map(({ task, score }) => `${fitText(printableLine(task), taskRoom)} ${points(score)}`)
          .join('; ')}`,
      ]
