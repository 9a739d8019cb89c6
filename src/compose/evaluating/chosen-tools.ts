import { beginningOf } from '../../domain/text/cut.ts'
import type { ToolCard } from '../../domain/card.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import type { Task } from '../../probing/ports.ts'
import type { Audition } from '../audition.ts'
import type { PassRateRequest, ToolsetName, ToolTask } from '../pass-rating.ts'

/** The tools of each task, by every way of choosing them. */
export type Chosen = ReadonlyMap<Task, { readonly [name in ToolsetName]: readonly ToolCard[] }>

/** The tools of every task. @throws RemedyError for one that needs what is not in the index */
export async function toolsOf(
  { tasks, toolsets, k, simulate, signal }: PassRateRequest,
  app: Pick<Audition, 'cards' | 'search'>,
): Promise<Chosen> {
  const chosen = new Map<Task, { readonly [name in ToolsetName]: readonly ToolCard[] }>()
  for (const task of tasks) {
    const known = (await app.cards(task.expected)).filter(isTool)
    const unknown = task.expected.find((id) => !known.some((card) => card.id === id))
    if (unknown !== undefined)
      throw new RemedyError(
        `"${unknown}", which "${beginningOf(task.text, 80)}" needs, is no tool of the index.`,
        'Index its source, or take the task out.',
      )
    const asked = { kind: 'tool', query: task.text, k, enough: false } as const
    const filter = simulate ? {} : { filter: { hasRuntime: true } as const }
    const found = toolsets.includes('retrieved')
      ? (await app.search({ ...asked, ...filter }, signal)).candidates
      : []
    chosen.set(task, { given: known, retrieved: found.map(({ card }) => card).filter(isTool), none: [] })
  }
  return chosen
}

const isTool = (card: { readonly kind: string }): card is ToolCard => card.kind === 'tool'

/**
 * The same without what the search gave of servers that may not be started.
 *
 * @throws RemedyError naming such servers where a task needs one, or the search gave nothing else
 */
export async function allowedOf(
  chosen: Chosen,
  { toolsets }: PassRateRequest,
  app: Pick<Audition, 'probing'>,
): Promise<{ readonly chosen: Chosen; readonly leftOut: readonly string[] }> {
  const toolsIn = (name: ToolsetName): readonly ToolCard[] =>
    toolsets.includes(name) ? [...chosen.values()].flatMap((one) => one[name]) : []
  const [given, retrieved] = [toolsIn('given'), toolsIn('retrieved')]
  const tools = [...given, ...retrieved]
  const ofServers = [...new Map(tools.map((card) => [card.source, card])).values()]
  const plans = await (await app.probing()).plan({ cards: ofServers, tasks: { kind: 'given', tasks: [] } })
  const all = plans.flatMap(({ card, notRun }) => (notRun === null ? [] : [{ card, notRun }]))
  const sources = new Set(all.map(({ card }) => card.source))
  const isOut = ({ source }: ToolCard): boolean => sources.has(source)
  const needed = all.filter(({ card: { source } }) => given.some((card) => card.source === source))
  const refused = needed.length === 0 && retrieved.length > 0 && retrieved.every(isOut) ? all : needed
  const [first] = refused
  if (first === undefined)
    return {
      chosen: new Map(
        [...chosen].map(([task, one]) => [
          task,
          { ...one, retrieved: one.retrieved.filter((card) => !isOut(card)) },
        ]),
      ),
      leftOut: [...sources],
    }
  const lines = refused.map(({ card }) => `\`audition allow ${shellWord(card.id, process.platform)}\``)
  throw new RemedyError(
    `${refused.map(({ card }) => card.source).join(', ')}: ${first.notRun.kind === 'permission' ? 'you have not allowed to start this' : first.notRun.message}.`,
    `${lines.join(', ')}; or --simulate, which starts nothing.`,
  )
}

/** The share of tasks for which the search gave all that they need. Null where no task says what it needs. */
export function completenessOf(chosen: Chosen): number | null {
  const needing = [...chosen].flatMap(([task, { retrieved }]) => {
    const { expected } = task as ToolTask
    return expected.length === 0 ? [] : [expected.every((id) => retrieved.some((card) => card.id === id))]
  })
  return needing.length === 0 ? null : needing.filter(Boolean).length / needing.length
}
