import type { Card, ToolCard } from '../../domain/card.ts'
import type { Reference, Task } from '../ports.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { compiledSchema } from '../judges/compiled-schema.ts'
import { type MakeText, type Random, randomOf, valueOfSchema } from './schema-arguments.ts'
import { resolve } from 'node:path'
import { z } from 'zod'

/** How tasks for tools are made. */
type ToolTaskOptions = {
  /** The same seed gives the same tasks, also for another tool of the same name. @defaultValue 1 */
  readonly seed?: number
  /** Whether tools may be called that are not annotated as read-only. @defaultValue 'readOnly' */
  readonly effects?: 'readOnly' | 'any'
  /** Known answers to draw from. @defaultValue none */
  readonly answers?: AnswerKeys
  /** Texts for inputs that want something that exists. @defaultValue none */
  readonly madeUp?: MakeText
}

/** Draws for each task wanted, before fewer are given. */
const mostDraws = 20

/**
 * Tasks for a tool, with arguments that its input schema admits.
 *
 * A tool with the contract of one that there are answers for (its name, its arguments, the fields of its result) gets tasks whose answers
 * are known; others get drawn arguments, and as reference the output schema where they publish one. A tool that is not annotated as
 * read-only gets none, unless all effects are allowed; nor does one whose arguments cannot be guessed.
 *
 * @returns at most `count`, none twice
 */
function toolTasks(card: ToolCard, count: number, options: ToolTaskOptions = {}): readonly Task[] {
  const { seed = 1, effects = 'readOnly', answers, madeUp } = options
  const admits = argumentCheck(card)
  if (admits === null || (effects === 'readOnly' && card.annotations?.readOnly !== true)) return []
  const random = randomOf(`${seed} ${card.name}`)
  const key = answers?.get(card.name)
  if (key !== undefined && hasItsContract(card, key.draw(randomOf(card.name)), admits)) {
    return distinct(count, () => key.draw(random))
  }
  return distinct(count, () =>
    drawnTask(card, () => valueOfSchema(card.inputSchema ?? { type: 'object' }, random, madeUp), admits),
  )
}

type ArgumentCheck = (given: JsonObject) => boolean

/** Null when the input schema cannot be compiled: nothing could be checked against it. */
export function argumentCheck({ inputSchema = { type: 'object' } }: ToolCard): ArgumentCheck | null {
  try {
    const check = compiledSchema(inputSchema)
    return (given) => {
      try {
        return check(given).admitted
      } catch {
        return false // one of its patterns does not come to an end
      }
    }
  } catch {
    return null
  }
}

/** Whether the tool takes the arguments of a known task, and says that its result has the fields that are looked at. */
function hasItsContract({ outputSchema }: ToolCard, task: KnownTask, admits: ArgumentCheck): boolean {
  const path = task.reference.kind === 'json-path' ? task.reference.path : ''
  const [, list = '', field = ''] = /^\$(?:\[([^\]]*)\]|\.(\w+))/.exec(path) ?? []
  const fields = field === '' ? list.split(',').map((name) => name.replaceAll("'", '')) : [field]
  const published = isJsonObject(outputSchema?.properties) ? outputSchema.properties : {}
  return admits(task.arguments) && fields.every((name) => Object.hasOwn(published, name))
}

function drawnTask(card: ToolCard, draw: () => JsonValue | undefined, admits: ArgumentCheck): Task | null {
  const given = draw()
  if (!isJsonObject(given) || !admits(given)) return null
  const reference: Reference | null =
    card.outputSchema === undefined ? null : { kind: 'json-schema', schema: card.outputSchema }
  return { text: textOfCall(card, given), arguments: given, ...(reference === null ? {} : { reference }) }
}

/** The task in words: what the tool says that it does, and with what. */
function textOfCall({ title, name, description }: ToolCard, given: JsonObject): string {
  const [purpose = ''] = description.split(/(?<=[.!?])\s|\n/)
  const what = purpose.trim() === '' ? (title ?? name) : purpose.trim().slice(0, 300)
  return Object.keys(given).length === 0 ? what : `${what} Use ${JSON.stringify(given).slice(0, 1000)}`
}

function distinct(count: number, make: () => Task | null): readonly Task[] {
  const tasks = new Map<string, Task>()
  for (let draw = 0; draw < count * mostDraws && tasks.size < count; draw += 1) {
    const task = make()
    if (task !== null && !tasks.has(task.text)) tasks.set(task.text, task)
  }
  return [...tasks.values()]
}

/** Longest example that is taken as a task, in characters. */
const longestExample = 4000

/**
 * Tasks that a card itself brings: its example requests for an agent, which have no reference; for a tool calls that its schema admits
 * (see {@link toolTasks}), since an example in words is no call. The same card gives the same tasks.
 *
 * @param count - tasks wanted; fewer may come
 */
export function tasksOfCard(card: Card, count: number, options: ToolTaskOptions = {}): readonly Task[] {
  if (card.kind === 'tool') return toolTasks(card, count, options)
  const examples = new Set(card.examples.map((example) => example.trim()))
  return [...examples]
    .filter((example) => example !== '' && example.length <= longestExample)
    .slice(0, count)
    .map((text) => ({ text }))
}

/** A task for a tool, its arguments, and what a right answer holds. */
type KnownTask = Task & Required<Pick<Task, 'arguments' | 'reference'>>

/** Makes tasks for tools of one contract whose answers are known without asking any of them; by the tool's name. */
export type AnswerKeys = ReadonlyMap<string, { readonly draw: (random: Random) => KnownTask }>

const pairsSchema = z.array(
  z.object({
    sound: z.string(),
    flawed: z.string(),
    cases: z.array(z.object({ task: z.string(), expected: z.string() })),
  }),
)

/**
 * The tasks of a demonstration agent, with their right answers; none for any other card. Both agents of a pair have the
 * same ones.
 *
 * @param profiles - absolute folder of the demonstration's profiles
 * @param pairs - gives the pairs with their answers; asked for one of these profiles alone
 */
export async function demoTasks(
  card: Card,
  { profiles, pairs }: { readonly profiles: string; readonly pairs: () => Promise<unknown> },
): Promise<readonly Task[]> {
  const { runtime, name } = card
  if (runtime?.kind !== 'profile' || resolve(runtime.file, '..') !== resolve(profiles)) return []
  const pair = pairsSchema.parse(await pairs()).find(({ sound, flawed }) => sound === name || flawed === name)
  return (pair?.cases ?? []).map(({ task, expected }) => ({
    text: task,
    reference: { kind: 'states', text: expected },
  }))
}
