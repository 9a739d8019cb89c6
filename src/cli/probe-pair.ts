import { printableLine } from '../domain/printable.ts'
import type { SearchAnswer } from '../retrieval/answer.ts'
import type { Context } from './context.ts'
import { notRunLines } from './permission.ts'
import { candidateTable } from './probe-lines.ts'

/** Agents of the demonstration that say the same of themselves. Nothing here knows which one is sound. */
const pair = ['measure-amber', 'measure-cobalt'] as const
/** What is searched for: none of the tasks that they are tried on. */
const sampleNeed = 'How many km is 26.2 miles?'
const tasksEach = 3

/**
 * Runs both agents of a bundled pair and ranks them before and after, in the store that is open.
 *
 * @param demo - the source of the demonstration's agents
 */
export async function probePair(demo: string, context: Context): Promise<readonly string[]> {
  const { stdout, platform } = context.terminal
  const audition = await context.audition()
  const probing = await audition.probing()
  const ids = pair.map((name) => `${demo}/${name}`)
  const cards = await audition.cards(ids)
  const rank = async () => {
    const filter = { sources: [demo] }
    const request = { kind: 'agent', query: sampleNeed, k: 100, filter, pack: 'ranking' } as const
    const { candidates } = await audition.search(request, context.signal)
    return candidates.filter(({ card }) => ids.includes(card.id)) // what failed before may stand behind others
  }
  const before = await rank()
  const { candidates } = await probing.probe({
    cards,
    tasks: { kind: 'own', count: tasksEach },
    signal: context.signal,
  })
  context.signal.throwIfAborted()
  const refused = candidates.flatMap(({ notRun }) => (notRun === null ? [] : notRunLines(notRun, platform)))
  if (refused.length > 0) return ['They were not run:', ...refused]
  return [
    `Task: ${sampleNeed}`,
    `Ranked by what is known so far:  ${placesOf(before)}`,
    `Both are run on ${tasksEach} other tasks whose answers are known, and judged:`,
    ...candidateTable(candidates, stdout).map((line) => `  ${line}`),
    `Ranked by what happened:         ${placesOf(await rank())}`,
  ]
}

const placesOf = (candidates: SearchAnswer['candidates']): string =>
  candidates.map(({ card }, at) => `${at + 1}. ${printableLine(card.id)}`).join('  ')
