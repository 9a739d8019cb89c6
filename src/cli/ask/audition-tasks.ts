import type { Card, CardKind } from '../../domain/card.ts'
import { isJsonObject } from '../../domain/json.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { expectedIds } from '../../evaluation/datasets/own-queries.ts'
import { type OwnRow, ownRows } from '../../evaluation/datasets/own-query-rows.ts'
import { seededRandom } from '../../evaluation/statistics/seeded-random.ts'
import { referenceSchema } from '../../probing/judges/labelled-answers.ts'
import type { Reference, Task } from '../../probing/ports.ts'
import { tasksIn } from './compare-order.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { Budget } from '../../probing/budget.ts'
import type { AskedOfWriter } from '../../tasks/desk.ts'
import { shownBy, tasksView } from '../progress.ts'
import { dropLines } from '../render/tasks-lines.ts'
import type { Context } from '../context.ts'
import { agreeToAsk } from './agree-to-ask.ts'
import { defined } from '../../domain/defined.ts'

/**
 * The tasks of a file, each once, in an order that no candidate can have been favoured by: the same for the same file. JSON Lines, JSON and CSV
 * have a column `query` as `audition evaluate` reads it, and perhaps `expect` (what a right answer states, a number, or a reference), `reference`, `golden`,
 * `arguments` (of a tool) and `kind`; any other file has a task a line.
 *
 * @throws RemedyError that names the row
 */
export function auditionTasks(path: string, kind: CardKind): readonly Task[] {
  const isTable = /\.(?:jsonl|ndjson|json|csv|tsv)(?:\.gz)?$/i.test(path)
  const read = isTable ? taskRows(path, kind).map(({ task }) => task) : tasksIn(path)
  return inOwnOrder([
    ...new Map(read.map((task) => [JSON.stringify([task.text, task.arguments]), task])).values(),
  ])
}

/** Shuffled, the same for the same tasks. */
function inOwnOrder(tasks: readonly Task[]): readonly Task[] {
  const random = seededRandom(1)
  return tasks
    .map((task) => ({ task, place: random.uint32() }))
    .sort((a, b) => a.place - b.place)
    .map(({ task }) => task)
}

/**
 * Tasks of a table, with the ids that each expects, in the order of the rows.
 *
 * @param kind - what the tasks look for; rows of the other kind are left out
 * @param doer - what is to do them: of tools, a call with arguments
 * @throws RemedyError that names the row
 */
export function taskRows(
  path: string,
  kind: CardKind,
  doer = kind,
): readonly { readonly task: Task; readonly expected: readonly string[] }[] {
  const tasks = ownRows(path, ['query']).flatMap((row) =>
    taskOf(row, kind, doer).map((task) => ({ task, expected: expectedIds(row) })),
  )
  if (tasks.length > 0) return tasks
  throw new RemedyError(`${path}: no task for ${kind}s is in it.`, 'Give another file.')
}

/** None of rows that are for the other kind. */
function taskOf({ where, record }: OwnRow, wanted: CardKind, doer: CardKind): readonly Task[] {
  const { query, arguments: given, kind } = record
  if (typeof kind === 'string' && kind !== '' && kind.replace(/s$/, '') !== wanted) return []
  if (typeof query !== 'string' || query.trim() === '')
    throw new RemedyError(`${where}: the row has no "query".`, 'Write the task in plain words.')
  const args = typeof given === 'string' && given !== '' ? parsed(given) : (given ?? undefined)
  if (args !== undefined && args !== '' && !isJsonObject(args))
    throw new RemedyError(`${where}: "arguments" is no JSON object.`, 'Write for example {"city": "Oslo"}.')
  const { reference, golden } = rightAnswerOf({ where, record }, doer)
  return [
    {
      text: query.trim(),
      ...(isJsonObject(args) ? { arguments: args } : {}),
      ...(reference === undefined ? {} : { reference }),
      ...(typeof golden === 'string' && golden !== '' ? { golden } : {}),
    },
  ]
}

/** Of an answer in words nothing is looked up by a path. */
const ofStructure: ReadonlySet<Reference['kind']> = new Set(['json-path', 'json-schema'])

/** What a right answer is known by, and a good one to show to a judge. What a model wrote is no text that an answer has to state. */
function rightAnswerOf(
  { where, record }: OwnRow,
  doer: CardKind,
): { readonly reference?: Reference; readonly golden?: unknown } {
  const { expect, reference: written, golden, by } = record
  const reference = written === undefined ? undefined : referenceIn(written, `${where}: "reference"`)
  if (reference !== undefined && (doer === 'tool' || !ofStructure.has(reference.kind)))
    return { reference, golden }
  if (typeof expect === 'number') return { reference: { kind: 'number', value: expect }, golden }
  if (typeof expect === 'string' && expect !== '')
    return typeof by === 'string' && by !== 'templates'
      ? { golden: golden ?? expect }
      : { reference: { kind: 'states', text: expect }, golden }
  if (expect === undefined || expect === null || expect === '') return { golden }
  return { reference: referenceIn(expect, `${where}: "expect"`), golden }
}

function referenceIn(value: unknown, where: string): Reference {
  const read = referenceSchema.safeParse(value)
  if (read.success) return read.data
  throw new RemedyError(
    `${where} is no text, number or reference: ${read.error.issues[0]?.message ?? ''}.`,
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

/** Tasks of a job, and what is left of the budget. */
type Made = {
  readonly tasks: { readonly kind: 'given'; readonly tasks: readonly Task[] }
  readonly budget: Partial<Budget>
  /** What the writing took. */
  readonly asked: AskedOfWriter
}

/** Fewer tell nobody apart. */
const leastTasks = 2

/**
 * Has the configured model write tasks of a job for its candidates, as `audition tasks make` does: self-contained, naming none of them, each
 * answer kept. It is asked when the person agrees to what it takes, which comes out of the budget.
 *
 * @returns null when it was stopped by hand
 * @throws NotAgreedToAskError; RemedyError without a model, or when too few tasks came of it
 */
export async function madeTasks(
  { job, cards, count }: { readonly job: string; readonly cards: readonly Card[]; readonly count: number },
  { budget, isAgreed }: { readonly budget: Partial<Budget>; readonly isAgreed: boolean },
  context: Context,
): Promise<Made | null> {
  const { terminal, signal, log, env } = context
  if ((env.AUDITION_LLM?.trim() ?? '') === '')
    throw new RemedyError(
      'Tasks are written by a language model, and none is configured.',
      'Set AUDITION_LLM, for example AUDITION_LLM=ollama:qwen3:8b, or give --tasks and a file.',
    )
  const audition = await context.audition()
  const made = await shownBy(tasksView(terminal.stderr), (onProgress) =>
    audition.makeTasks({
      contest: { job, candidates: cards.map(({ id }) => id) },
      count,
      budget,
      signal,
      onProgress,
      agree: agreeToAsk(isAgreed, context),
    }),
  ).catch((error: unknown) => {
    if (!signal.aborted) throw error
    return null
  })
  if (made === null) {
    log('Stopped while tasks were written; nothing was run. The same command goes on where it was.')
    return null
  }
  const { tasks, report } = made
  const { asked, drops, stopped } = report
  const why = stopped === undefined ? '' : ` Stopped early: ${printableLine(stopped)}`
  log(`${countOf(tasks.length, 'task')} made, ${drops.length} dropped.${why}`, ...dropLines(report))
  if (tasks.length < leastTasks)
    throw new RemedyError(
      `The model made ${countOf(tasks.length, 'task')} of ${count}; the last fault: ${drops.at(-1)?.why ?? stopped ?? 'none'}.`,
      'The same command goes on where it was; say the job in more words, or give --tasks and a file.',
    )
  const left = (of: number | null | undefined, used = 0) =>
    of === undefined || of === null ? of : Math.max(0, of - used)
  return {
    asked,
    // What a model holds right is a good answer to show to the judge, and no text that an answer has to state.
    tasks: {
      kind: 'given',
      tasks: inOwnOrder(
        tasks.map(({ query, expect }) => ({ text: query, ...(expect ? { golden: expect } : {}) })),
      ),
    },
    budget: defined({
      tokens: left(budget.tokens, asked.tokens.input + asked.tokens.output),
      cost: left(budget.cost, asked.cost),
      seconds: left(budget.seconds, asked.seconds),
    }),
  }
}
