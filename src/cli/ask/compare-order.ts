import { readFileSync } from 'node:fs'
import { askedKinds } from '../../compose/runtimes.ts'
import { meanPlaces } from '../../domain/statistics.ts'
import { RemedyError } from '../../domain/remedy-error.ts'
import { agreementOver, comparedRanks, publishedOrder } from '../../evaluation/order-agreement.ts'
import type { AnswerComparer, Task } from '../../probing/ports.ts'
import type { Budget } from '../../probing/budget.ts'
import type { CandidateReport, NotRun, ProbeReport } from '../../probing/run/probe-report.ts'
import type { Plan, Probing, ProbeCall } from '../../probing/run/probing.ts'
import type { Context } from '../context.ts'

/** A candidate of a task, where search put it and where its answer stands among the others. */
export type OrderedCandidate = {
  readonly rank: number
  readonly card: string
  readonly grade: number | null
  /** From 1 for the best answer; equal ones share the mean of their places. Null where it was not run, or nothing could be ordered. */
  readonly place: number | null
  readonly notRun: NotRun | null
}

/** One task: its candidates, best ranked first. */
export type OrderedTask = {
  readonly task: string
  readonly candidates: readonly OrderedCandidate[]
  /** Why the task does not count; null when it does. */
  readonly leftOut: string | null
}

/** What a comparison of orders found. */
export type OrderReport = ReturnType<typeof agreementOver> & {
  readonly tasks: readonly OrderedTask[]
  /** Who ordered equal grades; null when nobody did. */
  readonly comparer: string | null
  readonly published: typeof publishedOrder
  readonly stopped: ProbeReport['stopped']
}

/** How candidates are run. */
export type Comparing = {
  readonly limits: NonNullable<ProbeCall['limits']>
  readonly budget: Partial<Budget>
  readonly probe: (
    call: Pick<ProbeCall, 'cards' | 'tasks' | 'limits' | 'budget'> & { readonly plans: readonly Plan[] },
  ) => Promise<ProbeReport>
}

/** Tasks of a file: one a line; lines that begin with # and empty ones are none. @throws RemedyError */
export function tasksIn(file: string): readonly Task[] {
  const lines = readText(file)
    .split(/\r?\n/)
    .map((line) => line.trim())
  const tasks = lines.filter((line) => line !== '' && !line.startsWith('#')).map((text) => ({ text }))
  if (tasks.length > 0) return tasks
  throw new RemedyError(`${file}: no task is in it.`, 'Write one task a line.')
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new RemedyError(
      `${file}: cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      'Name a file of tasks, one a line.',
      { cause },
    )
  }
}

/** The agents at the compared ranks of a task, with what running them would start. */
export async function comparedAgents(task: Task, probing: Probing, context: Context) {
  const { candidates } = await (await context.audition()).search(
    {
      kind: 'agent',
      query: task.text,
      k: comparedRanks.at(-1)!,
      pack: 'ranking',
      filter: { hasRuntime: true, agentKinds: askedKinds },
    },
    context.signal,
  )
  const picked = comparedRanks.flatMap((rank) => {
    const found = candidates[rank - 1]
    return found === undefined ? [] : [{ rank, card: found.card }]
  })
  const cards = picked.map(({ card }) => card)
  const tasks = { kind: 'given' as const, tasks: [task] }
  return { picked, cards, tasks, plans: await probing.plan({ cards, tasks }) }
}

/** Runs the compared agents of each task, and measures how far search agrees with the order of their answers. */
export async function compareOrders(
  tasks: readonly Task[],
  { limits, budget, probe }: Comparing,
  context: Context,
): Promise<OrderReport> {
  const audition = await context.audition()
  const [probing, comparer] = [await audition.probing(), await audition.comparer()]
  const left: { -readonly [amount in keyof Budget]: Budget[amount] } = {
    ...(await probing.settings()).budget,
    ...budget,
  }
  const ordered: OrderedTask[] = []
  let stopped: ProbeReport['stopped'] = null
  // Ranked before anything runs: outcomes on one task would move the ranks of the next.
  const ranked: Awaited<ReturnType<typeof comparedAgents>>[] = []
  for (const task of tasks) ranked.push(await comparedAgents(task, probing, context))
  for (const [at, task] of tasks.entries()) {
    const { picked, ...call } = ranked[at]!
    const report = await probe({ ...call, limits, budget: { ...left } })
    for (const amount of ['seconds', 'tokens', 'cost'] as const)
      if (left[amount] !== null)
        left[amount] = Math.max(amount === 'tokens' ? 1 : 1e-6, left[amount] - report.spent[amount])
    const { places, why } = await placesOf(task, report.candidates, { comparer, signal: context.signal })
    ordered.push({
      task: task.text,
      candidates: picked.map(({ rank, card }, at) => {
        const [{ notRun, meanGrade }, place] = [report.candidates[at]!, places[at] ?? null]
        return { rank, card: card.id, grade: meanGrade, place, notRun }
      }),
      leftOut: why,
    })
    stopped = report.stopped
    if (stopped !== null) break
  }
  const counted = ordered.filter(({ leftOut }) => leftOut === null)
  return {
    ...agreementOver(counted.map(({ candidates }) => candidates.flatMap(({ place }) => place ?? []))),
    tasks: ordered,
    comparer: comparer?.name ?? null,
    published: publishedOrder,
    stopped,
  }
}

const unread = 'the answers have one grade, and the model gave no order of them that could be read'

/** Places of the candidates that were run: by grade, and equal grades as a model orders their answers. */
async function placesOf(
  task: Task,
  candidates: readonly CandidateReport[],
  { comparer, signal }: { readonly comparer: AnswerComparer | null; readonly signal: AbortSignal },
): Promise<{ readonly places: readonly (number | null)[]; readonly why: string | null }> {
  const none = candidates.map(() => null)
  const run = candidates.flatMap(({ runs, meanGrade }, at) => {
    const [first] = runs
    return first === undefined
      ? []
      : [{ at, grade: meanGrade, answer: first.failure === null ? first.answer : null }]
  })
  if (run.length < 2)
    return { places: none, why: `${run.length} of ${candidates.length} candidates were run: two are needed` }
  const answered = run.filter(({ answer }) => answer !== null)
  const isGraded = run.every(({ grade }) => grade !== null)
  const isTied = answered.some((one) => answered.some((other) => one !== other && one.grade === other.grade))
  const compared =
    comparer !== null && isTied
      ? await comparer.compare(
          task,
          answered.map(({ answer }) => answer!),
          signal,
        )
      : null
  const isUnread = comparer !== null && isTied && compared === null
  if (!isGraded && compared === null)
    return {
      places: none,
      why: isUnread ? unread : 'nobody graded the answers: set AUDITION_LLM, or give --expect',
    }
  const keys = run.map((one) => {
    const among = answered.indexOf(one)
    return { grade: isGraded ? one.grade! : among < 0 ? 1 : 2, place: compared?.[among] ?? 0 }
  })
  const places = meanPlaces(keys, (a, b) => b.grade - a.grade || a.place - b.place)
  if (new Set(places).size === 1)
    return { places: none, why: isUnread ? unread : 'all answers are worth the same' }
  return {
    places: candidates.map((_, at) => places[run.findIndex((one) => one.at === at)] ?? null),
    why: null,
  }
}
