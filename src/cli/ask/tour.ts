import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledParts, looksBundled } from '../../catalog/bundled-parts.ts'
import { notRunLines } from '../render/permit-lines.ts'
import type { Context } from '../context.ts'
import { candidateTable } from '../render/probe-lines.ts'
import type { Output } from '../terminal.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { CandidateReport, NotRun } from '../../probing/run/probe-report.ts'
import { bundledChoice } from '../../trust/bundled/bundled-choice.ts'

/** Where the tour is held. */
export type TourStore = {
  /** `user`: their own, which has nothing else yet; `apart`: a store that is gone when the tour is over. */
  readonly kind: 'user' | 'apart'
  /** The same context over that store. */
  readonly context: Context
  end(): Promise<void>
}

/**
 * The user's store as long as nothing of their own is in it. Beside their own sources the bundled catalog would win searches that
 * theirs should win, and one that they removed must not come back: then the tour gets a store of its own.
 */
export async function tourStore(context: Context): Promise<TourStore> {
  const audition = await context.audition()
  const reviews = await audition.reviews()
  const isRemoved = bundledParts.some((part) => bundledChoice(part, reviews) === 'removed')
  const isOurs = (await audition.sources()).every(({ location }) => looksBundled(location))
  if (!isRemoved && isOurs) {
    return { kind: 'user', context, end: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), 'audition-tour-'))
  const tour = context.auditionAt(folder)
  return {
    kind: 'apart',
    context: { ...context, audition: () => tour },
    async end() {
      await (await tour).close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Agents of the demonstration that say the same of themselves. Nothing here knows which one is sound. */
const pair = ['measure-amber', 'measure-cobalt'] as const
/** What is searched for: none of the tasks that they are tried on. */
const sampleNeed = 'How many km is 26.2 miles?'
const tasksEach = 3

/** Both agents, ranked before and after they were run. */
type PairProbe = {
  readonly task: string
  readonly tasksEach: number
  /** Ids, best first. */
  readonly before: readonly string[]
  readonly candidates: readonly CandidateReport[]
  /** Why those that were not run were not; empty when both were. */
  readonly refused: readonly NotRun[]
  /** Ids, best first; those of before where some was not run. */
  readonly after: readonly string[]
}

/**
 * Runs both agents of a bundled pair and ranks them before and after, in the store that is open.
 *
 * @param demo - the source of the demonstration's agents
 */
export async function probePair(demo: string, context: Context): Promise<PairProbe> {
  const audition = await context.audition()
  const probing = await audition.probing()
  const ids = pair.map((name) => `${demo}/${name}`)
  const cards = await audition.cards(ids)
  const rank = async (): Promise<readonly string[]> => {
    const filter = { sources: [demo] }
    const request = { kind: 'agent', query: sampleNeed, k: 100, filter, pack: 'ranking' } as const
    const { candidates } = await audition.search(request, context.signal)
    return candidates.map(({ card }) => card.id).filter((id) => ids.includes(id)) // what failed before may stand behind others
  }
  const before = await rank()
  const { candidates } = await probing.probe({
    cards,
    tasks: { kind: 'own', count: tasksEach },
    signal: context.signal,
  })
  context.signal.throwIfAborted()
  const refused = candidates.flatMap(({ notRun }) => notRun ?? [])
  const after = refused.length > 0 ? before : await rank()
  return { task: sampleNeed, tasksEach, before, candidates, refused, after }
}

/** The probe of a pair for people. */
export function pairLines(
  { task, before, candidates, refused, after }: PairProbe,
  output: Output,
  platform: NodeJS.Platform,
): readonly string[] {
  if (refused.length > 0)
    return [
      'They were not run:',
      ...candidates.flatMap(({ card, notRun }) =>
        notRun === null ? [] : notRunLines(card, notRun, platform),
      ),
    ]
  return [
    `Task: ${task}`,
    `Ranked by what is known so far:  ${placesOf(before)}`,
    `Both are run on ${tasksEach} other tasks whose answers are known, and judged:`,
    ...candidateTable(candidates, output).map((line) => `  ${line}`),
    `Ranked by what happened:         ${placesOf(after)}`,
  ]
}

const placesOf = (ids: readonly string[]): string =>
  ids.map((id, at) => `${at + 1}. ${printableLine(id)}`).join('  ')
