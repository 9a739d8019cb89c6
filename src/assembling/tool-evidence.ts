import type { ToolCard } from '../domain/card.ts'
import type { ScoredCard, SearchAnswer } from '../retrieval/answer.ts'
import { clausesAsWritten } from '../retrieval/glossary/clauses-as-written.ts'
import { shownStep, splitRequest } from '../retrieval/query/facets.ts'
import type { ComposingParts } from './ports.ts'

/** A tool for a task, and what the searches say of it. */
export type ToolEvidence = {
  readonly card: ToolCard
  /** That the task needs it, 0..1; see {@link evidenceOf}. */
  readonly need: number
  /** That it serves a step, 0..1: one entry per step. */
  readonly serves: readonly number[]
}

/** What was found for a whole task, and for each of its steps; none for a task of one step. */
export type StepAnswers = {
  readonly whole: SearchAnswer
  readonly steps: readonly SearchAnswer[]
  /** The steps in the words of the task; the task itself where it has one. */
  readonly facets: readonly string[]
}

/** Tools that sets are made of: an agent needs few. */
const mostTools = 12

/** Log-odds that a task needs a tool, over the log-odds of the searches. Fitted on training sets, requests that need one tool and requests that need more in equal parts: decision 19. */
const weights = { constant: -0.34, whole: 0.83, step: 0.15, first: 1.38, sureFirst: 0.38, manySteps: 0.13 }

/**
 * The tools that a task may need, surest first. How sure a tool is: a logistic model over what the whole task's search says of it, what
 * its best step says, and whether it stands first for a step. The searches have weighed the track record already.
 *
 * Of a step that nothing here does, the nearest tool is no tool for it.
 *
 * @param isBound - whether a tool can stand in a profile
 * @returns at most {@link mostTools}; each tool once
 */
export function evidenceOf(
  { whole, steps }: StepAnswers,
  isBound: (tool: ToolCard) => boolean,
): readonly ToolEvidence[] {
  const answers = steps.length === 0 ? [whole] : steps
  if (!answers.some(isServed)) return []
  const ofWhole = probabilitiesIn(whole)
  const ofSteps = answers.map((answer) => (isServed(answer) ? probabilitiesIn(answer) : nothing))
  const firsts = answers.map((answer) => (isServed(answer) ? answer.candidates[0]?.card.id : undefined))
  const found = [whole, ...steps].flatMap(({ candidates }) => candidates.map(({ card }) => card))
  const tools = found.flatMap((card) => (card.kind === 'tool' ? [[card.id, card] as const] : []))
  return [...new Map(tools).values()]
    .filter(isBound)
    .map((card): ToolEvidence => {
      const serves = ofSteps.map((of) => of.get(card.id) ?? 0)
      const first = Math.max(0, ...serves.filter((_, step) => firsts[step] === card.id))
      const odds =
        weights.constant +
        weights.whole * logOdds(ofWhole.get(card.id) ?? 0) +
        weights.step * logOdds(Math.max(...serves)) +
        (first === 0 ? 0 : weights.first + weights.sureFirst * logOdds(first)) +
        (steps.length === 0 ? 0 : weights.manySteps)
      return { card, need: 1 / (1 + Math.exp(-odds)), serves }
    })
    .sort((a, b) => b.need - a.need || (a.card.id < b.card.id ? 1 : -1))
    .slice(0, mostTools)
}

/** Below this a step of which the search is unsure is told as one that no tool does. */
const leastLikely = 0.25
/** From here on a tool is named for a step of which the search is unsure. */
const likely = 0.5

/** Whether a step is served: for sure, perhaps, or not, and how likely its best tool is. */
export type StepService = { readonly match: 'good' | 'weak' | 'none'; readonly best: number }

/** What is known of each step: what the search says of it, less where the tools that can be had are unlikely to do it. */
export function stepServices(
  { whole, steps }: StepAnswers,
  tools: readonly ToolEvidence[],
): readonly StepService[] {
  return (steps.length === 0 ? [whole] : steps).map(({ match }, step) => {
    const best = Math.max(0, ...tools.map(({ serves }) => serves[step] ?? 0))
    return { match: match === 'weak' && best < leastLikely ? 'none' : match, best }
  })
}

/** Whether a tool may be named for a step. */
export const isNamed = ({ match }: StepService, probability: number): boolean =>
  match === 'good' || (match === 'weak' && probability >= likely)

/** Scores of a trained ranker are probabilities; of others the share of the words that a card covers stands in. */
const probabilitiesIn = ({ candidates, ranker }: SearchAnswer): ReadonlyMap<string, number> =>
  new Map(candidates.map((found) => [found.card.id, probabilityOf(found, ranker)]))

const probabilityOf = ({ score, signals }: ScoredCard, ranker: SearchAnswer['ranker']): number =>
  ranker === 'learned' || ranker === 'reader' ? score : score * signals.coverage

/** Whether the search says that something may fit. */
const isServed = ({ match }: SearchAnswer): boolean => match !== 'none'

const nothing: ReadonlyMap<string, number> = new Map()

/** Bounded, so that what was not found can be weighed. */
function logOdds(probability: number): number {
  const bounded = Math.min(1 - 1e-4, Math.max(1e-4, probability))
  return Math.log(bounded / (1 - bounded))
}

/** Candidates of a search: of the whole task, and of each step. */
const depths = { whole: 30, step: 15 }

/** Searches for the whole task, and for each of its steps where it has several. */
export async function findTools(
  task: string,
  { servers, search }: Pick<ComposingParts, 'servers' | 'search'>,
  signal?: AbortSignal,
): Promise<StepAnswers> {
  const sources = await servers()
  const find = (query: string, k: number): Promise<SearchAnswer> =>
    search({ kind: 'tool', query, k, ...(sources === null ? {} : { filter: { sources } }) }, signal)
  const whole = await find(task, depths.whole)
  const facets = facetsAsWritten(whole, task)
  if (whole.facets.length < 2) return { whole, facets, steps: [] }
  return {
    whole,
    facets,
    steps: await Promise.all(readSteps(whole, task).map((step) => find(step, depths.step))),
  }
}

/** The steps as the person wrote them, where the search read them in English, word by word. */
function facetsAsWritten({ facets, readAs }: SearchAnswer, task: string): readonly string[] {
  if (readAs === undefined) return facets
  if (facets.length < 2) return [task]
  const written = clausesAsWritten(task)
  return written.length === facets.length ? written : facets
}

/** The steps in the words that the search of the whole task read them by: the model knows their vectors still. */
function readSteps({ facets, readAs }: SearchAnswer, task: string): readonly string[] {
  const { asked } = splitRequest(readAs ?? task)
  return facets.map((facet, step) => {
    const read = asked[step]
    return read !== undefined && shownStep(read) === facet ? read : facet
  })
}
