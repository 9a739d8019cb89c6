import type { CardKind } from '../../domain/card.ts'
import { isJsonObject } from '../../domain/json.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { type OwnRow, ownRows } from '../../evaluation/datasets/own-query-rows.ts'
import { seededRandom } from '../../evaluation/statistics/seeded-random.ts'
import { referenceSchema } from '../../probing/judges/labelled-answers.ts'
import type { Reference, Task } from '../../probing/ports.ts'
import { tasksIn } from './compare-order.ts'

/**
 * The tasks of a file, each once, in an order that no candidate can have been favoured by: the same for the same file. JSON Lines, JSON and CSV
 * have a column `query` as `audition evaluate` reads it, and perhaps `expect` (what a right answer states, a number, or a reference), `golden`,
 * `arguments` (of a tool) and `kind`; any other file has a task a line.
 *
 * @throws RemedyError that names the row
 */
export function auditionTasks(path: string, kind: CardKind): readonly Task[] {
  const read = /\.(?:jsonl|ndjson|json|csv|tsv)(?:\.gz)?$/i.test(path)
    ? ownRows(path).flatMap((row) => taskOf(row, kind))
    : tasksIn(path)
  const tasks = [...new Map(read.map((task) => [JSON.stringify([task.text, task.arguments]), task])).values()]
  if (tasks.length === 0)
    throw new RemedyError(`${path}: no task for ${kind}s is in it.`, 'Give another file.')
  const random = seededRandom(1)
  return tasks
    .map((task) => ({ task, place: random.uint32() }))
    .sort((a, b) => a.place - b.place)
    .map(({ task }) => task)
}

/** None of rows that are for the other kind. */
function taskOf({ where, record }: OwnRow, wanted: CardKind): readonly Task[] {
  const { query, expect, golden, arguments: given, kind } = record
  if (typeof kind === 'string' && kind !== '' && kind.replace(/s$/, '') !== wanted) return []
  if (typeof query !== 'string' || query.trim() === '')
    throw new RemedyError(`${where}: the row has no "query".`, 'Write the task in plain words.')
  const args = typeof given === 'string' && given !== '' ? parsed(given) : (given ?? undefined)
  if (args !== undefined && args !== '' && !isJsonObject(args))
    throw new RemedyError(`${where}: "arguments" is no JSON object.`, 'Write for example {"city": "Oslo"}.')
  const reference = referenceOf(expect, where)
  return [
    {
      text: query.trim(),
      ...(isJsonObject(args) ? { arguments: args } : {}),
      ...(reference === undefined ? {} : { reference }),
      ...(typeof golden === 'string' && golden !== '' ? { golden } : {}),
    },
  ]
}

function referenceOf(expect: unknown, where: string): Reference | undefined {
  if (expect === undefined || expect === null || expect === '') return undefined
  if (typeof expect === 'number') return { kind: 'number', value: expect }
  if (typeof expect === 'string') return { kind: 'states', text: expect }
  const read = referenceSchema.safeParse(expect)
  if (read.success) return read.data
  throw new RemedyError(
    `${where}: "expect" is no text, number or reference: ${read.error.issues[0]?.message ?? ''}.`,
    'Write what a right answer states, for example "42.5".',
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // said by the caller
  }
}
