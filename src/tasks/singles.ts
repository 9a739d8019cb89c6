import { contentHash } from '../catalog/identity.ts'
import type { Card } from '../domain/card.ts'
import type { JsonValue } from '../domain/json.ts'
import type { Task } from '../probing/ports.ts'
import { randomOf } from '../probing/writing/schema-arguments.ts'
import { argumentCheck } from '../probing/writing/tasks-of-card.ts'
import { keyOf } from './desk.ts'
import type { GeneratedTask } from './generated-task.ts'
import type { Solved, WrittenTask } from './ports.ts'
import { type TextFault, scanned } from './faults.ts'
import type { Shop, Single } from './shop.ts'
import { isAmong } from './texts.ts'

/** Tasks under way before the next are chosen. */
const atOnce = 8
/** Attempts for each task wanted, before fewer are given. */
const mostAttempts = 3

/** Which task is to be written: for whom, and how many were written for it before. */
type Turn = { readonly target: Card; readonly turn: number }

/** Tasks that are wanted, and the cards they are for. */
type WantedSingles = {
  readonly count: number
  readonly targets: readonly Card[]
  /** Most tasks that are tried for one card. @defaultValue as many as it takes */
  readonly turns?: number
  /** Called with each task at once, so that what was made stays when the budget ends. */
  readonly onMade?: (single: Single) => void
}

/**
 * Writes tasks for single cards, each target in turn until there are so many: a task that the target can do and that tells it from its
 * 3 to 5 nearest.
 *
 * @see AgentSearchBench, 2026, section 3: single-agent queries
 */
export async function makeSingles(
  {
    count,
    targets,
    turns = Math.ceil((count * mostAttempts) / Math.max(1, targets.length)),
    onMade,
  }: WantedSingles,
  shop: Shop,
): Promise<readonly Single[]> {
  const order = randomOf(`${shop.order.seed} targets`).shuffled(targets)
  const queue = Array.from({ length: turns }, (_, turn) => order.map((target) => ({ target, turn }))).flat()
  const exhausted = new Set<string>()
  const singles: Single[] = []
  while (singles.length < count && queue.length > 0) {
    const next: Turn[] = []
    while (next.length < Math.min(atOnce, count - singles.length) && queue.length > 0) {
      const turn = queue.shift()!
      if (!exhausted.has(turn.target.id)) next.push(turn)
    }
    const written = await shop.all(next, (turn) => singleFor(turn, shop, () => exhausted.add(turn.target.id)))
    // One after another, so that of two that say the same the first stays, whoever was written sooner.
    for (const single of written) {
      if (single === null) continue
      const earlier = singles.map(({ task }) => task)
      if (isAmong(single.task, earlier)) shop.drop('duplicate', single.target.id, { text: single.task })
      else {
        singles.push(single)
        onMade?.(single)
      }
    }
    shop.order.onProgress({ done: singles.length, total: count, what: 'writing tasks' })
  }
  return singles
}

/** Writes one task, has it judged, once more where it has a fault, and run where that is wanted. */
async function singleFor(
  { target, turn }: Turn,
  shop: Shop,
  onExhausted: () => void,
): Promise<Single | null> {
  const { seed, job } = shop.order
  const near = await shop.nearest(target, 5)
  const others = near.slice(0, randomOf(`${seed} ${target.id} ${turn}`).whole(3, 5))
  const first = await shop.ask('write', { target, others, turn, ...(job === undefined ? {} : { job }) })
  if (first === null) {
    onExhausted()
    // A card whose own words are used up has no further task, and that is no fault.
    return shop.isByRule && turn > 0 ? null : shop.drop('no-answer', target.id)
  }
  const fault = await faultOf(first, { target, others }, shop)
  const task = fault === null ? first : await rewritten(first, { fault, target, others }, shop)
  if (task === null) return null
  return settled(task, { target, others }, shop)
}

type Among = { readonly target: Card; readonly others: readonly Card[] }

async function rewritten(
  first: WrittenTask,
  { fault, target, others }: Among & { readonly fault: TextFault },
  shop: Shop,
): Promise<WrittenTask | null> {
  const { task: text } = first
  // What obeys a card is not asked for again, nor what nobody judged.
  if (fault.reason === 'suspicious' || fault.reason === 'no-verdict')
    return shop.drop(fault.reason, target.id, { text, why: fault.why })
  const second = await shop.ask('rewrite', { target, task: text, fault: fault.why })
  if (second === null) return shop.drop(fault.reason, target.id, { text, why: fault.why })
  const left = await faultOf(second, { target, others }, shop)
  return left === null ? second : shop.drop(left.reason, target.id, { text: second.task, why: left.why })
}

async function faultOf(
  { task, arguments: given, expect = '' }: WrittenTask,
  { target, others }: Among,
  shop: Shop,
): Promise<TextFault | null> {
  const finding = [...textsIn(given ?? {}), expect].map(scanned).find((found) => found !== undefined)
  if (finding !== undefined) return { reason: 'suspicious', why: finding }
  if (given !== undefined && target.kind === 'tool' && argumentCheck(target)?.(given) === false)
    return { reason: 'bad-arguments', why: "its arguments break the tool's inputSchema" }
  const fault = shop.faultOf(task, [target], others)
  if (fault !== null) return fault
  const judged = await shop.ask('selfContained', { task })
  if (judged === null) return { reason: 'no-verdict', why: '' }
  return judged.isSelfContained ? null : { reason: 'not-self-contained', why: judged.missing }
}

const textsIn = (value: JsonValue): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** What is expected of a task: its target, or, where candidates were run, who solved it. */
async function settled(task: WrittenTask, { target, others }: Among, shop: Shop): Promise<Single | null> {
  const own = shop.sameAs(target.id)
  const solved = await executed(task, [target, ...others], shop)
  const ran = [...solved].filter(([, is]) => is !== null)
  const solvers = ran.filter(([, is]) => is === true).map(([id]) => id)
  if (ran.length > 0 && solvers.length === 0) return shop.drop('none-solves', target.id, { text: task.task })
  if (ran.length > 1 && solvers.length === ran.length)
    return shop.drop('every-solves', target.id, { text: task.task })
  const isTargetKnown = (solved.get(target.id) ?? null) !== null
  const expected = ran.length === 0 ? own : [...solvers.flatMap(shop.sameAs), ...(isTargetKnown ? [] : own)]
  return { ...task, target, expected: [...new Set(expected)] }
}

/** Runs candidates, but for those that were run on the task before. */
async function executed(
  task: WrittenTask,
  cards: readonly Card[],
  shop: Shop,
): Promise<ReadonlyMap<string, Solved>> {
  const { execute, kept } = shop.ground
  if (execute === undefined) return new Map()
  const solved = new Map<string, Solved>()
  for (const [place, card] of cards.entries()) {
    shop.order.signal.throwIfAborted()
    const asked = await taskFor(card, { ...task, isTarget: place === 0 }, shop)
    const key = asked === null ? '' : keyOf('execute', asked, contentHash(card))
    const known = kept.find(key)
    const is = typeof known === 'boolean' ? known : asked === null ? null : await execute(card, asked)
    if (is !== null && known === undefined) kept.keep(key, is)
    if (is === null) shop.runs.none += 1
    else shop.runs.judged += 1
    solved.set(card.id, is)
  }
  return solved
}

/** What a candidate is asked; null when nothing is, as of a tool that may change something. */
async function taskFor(
  card: Card,
  { task, arguments: given, reference, isTarget }: WrittenTask & { readonly isTarget: boolean },
  shop: Shop,
): Promise<Task | null> {
  const asked = { text: task, ...(reference === undefined ? {} : { reference }) }
  if (card.kind === 'agent') return asked
  if (card.annotations?.readOnly !== true) return null
  if (given !== undefined && (isTarget || shop.isByRule)) return { ...asked, arguments: given }
  const call = await shop.ask('call', { tool: card, task })
  return call === null ? null : { ...asked, arguments: call.arguments }
}

/** A single task as a line of the file. */
export const singleTask = (
  { target, task, expected, arguments: given, expect, reference }: Single,
  { ground, order }: Shop,
): Omit<GeneratedTask, 'id'> => ({
  query: task,
  expected: Object.fromEntries(expected.map((id) => [id, 1])),
  kind: target.kind,
  group: order.kind,
  by: ground.writer.name,
  ...(given === undefined || target.kind === 'agent' ? {} : { arguments: given }),
  ...(expect === undefined ? {} : { expect }),
  ...(reference === undefined ? {} : { reference }),
})

/** Makes single tasks, each as soon as it is written. */
export async function makeSingleTasks(shop: Shop): Promise<void> {
  const { count, targets } = shop.order
  await makeSingles({ count, targets, onMade: (single) => shop.add(singleTask(single, shop)) }, shop)
}
