import { blendedPrice } from '../../domain/model-card.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { ComparedModel, ModelComparison } from '../../models/compare-models.ts'
import type { Output } from '../terminal.ts'
import { tableLines } from './table.ts'
import { fitText } from './text.ts'

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
  const columns = [
    { title: 'model', paint: paint.cyan },
    { title: 'score', align: 'right' },
    { title: 'success', align: 'right' },
    { title: 'between', align: 'right' },
    { title: 'tasks', align: 'right' },
    { title: '$ per M', align: 'right' },
    { title: 'context', align: 'right' },
    { title: 'can', least: 8 },
  ] as const
  const rows = models.map((model) => [
    printableLine(model.id),
    points(model.score),
    points(model.estimate),
    `${points(model.low)} to ${points(model.high)}`,
    String(model.outcomes),
    model.price === undefined ? '?' : dollars(blendedPrice(model.price)),
    model.context === undefined ? '?' : `${Math.round(model.context / 1000)}k`,
    abilities(model),
  ])
  const heading = task === null ? 'Models by their means over all tasks' : 'Models for the task'
  return [
    `${paint.bold(heading)} ${paint.dim(`(${models.length} of ${found}, best first; ${countOf(known, 'model')} known, outcomes of ${countOf(tasks, 'task')}; a dollar per million tokens costs ${countOf(priceWeight, 'point')})`)}`,
    ...tableLines(columns, rows, output),
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
