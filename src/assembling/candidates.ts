import type { ToolEvidence } from './tool-evidence.ts'

/** A set of tools, by their places among those that were found. Ascending. */
type Toolset = readonly number[]

/** What a missing tool weighs against one too many where sets are made: without a tool a task fails; one too many costs tokens. */
const composing = 3
/** What the steps that are served weigh. Chosen with {@link composing} on training sets: decision 19. */
const coverageWeight = 0.5

/**
 * How right a set of tools is for a task, 0..1: the F measure that is expected of it against the tools that the task needs, times the root of the
 * share that it serves of what all tools found could serve of the steps.
 *
 * - Expected F3 is `10 Σ need(t in T) / (|T| + 9 Σ need(all t))`: a tool that the task needs raises it, and a superfluous one, whose need
 *   is below a tenth of the score, lowers it. Of F1 it is half of the score.
 * - A step is served by one of T or not at all: `1 - Π (1 - serves(t, step))`, and the mean over the steps.
 * - No tool at all is right as far as none is needed: `Π (1 - need)`.
 *
 * What happened when tools were run is in `need` and `serves`: searches weigh it.
 *
 * @param beta - 3 to make sets; 1 to judge a set that is there, where one too many is as wrong as one that is missing
 * @see Lewis, SIGIR 1995, on sets that are best for an expected F
 */
export function toolsetScore(tools: readonly ToolEvidence[], beta = composing): (set: Toolset) => number {
  const needed = tools.reduce((sum, { need }) => sum + need, 0)
  const steps = tools[0]?.serves.length ?? 0
  const servedBy = (set: Toolset): number => {
    let sum = 0
    for (let step = 0; step < steps; step += 1) sum += servedStep(tools, set, step)
    return sum / Math.max(1, steps)
  }
  const most = servedBy([...tools.keys()])
  return (set) => {
    if (set.length === 0) return tools.reduce((product, { need }) => product * (1 - need), 1)
    const held = set.reduce((sum, place) => sum + tools[place]!.need, 0)
    const expected = ((1 + beta ** 2) * held) / (set.length + beta ** 2 * needed)
    return most === 0 ? 0 : expected * (servedBy(set) / most) ** coverageWeight
  }
}

/** That one of a set does a step, 0..1. */
export function servedStep(tools: readonly ToolEvidence[], set: Toolset, step: number): number {
  let missed = 1
  for (const place of set) missed *= 1 - (tools[place]!.serves[step] ?? 0)
  return 1 - missed
}

/** A profile before it is written: a backbone by its place among those that can be called, and tools by theirs. */
export type ProfileCandidate = { readonly backbone: number; readonly tools: Toolset }

/** How right a candidate is, 0..1. */
export type Scorer = (candidate: ProfileCandidate) => number

/** Most backbones that seeds are made with. */
const seedBackbones = 4
/** Tools that stand alone, and those that stand in pairs. */
const [alone, paired] = [4, 3]
/** Most tools of a profile: a longer list is no help to a model. */
export const mostHeld = 8
/** Most candidates that are scored. */
const mostCandidates = 120

/**
 * The sets that a composition starts from: no tool, each of the first few, pairs of them, the best tool of each step, and for each size
 * the tools that are surest to be needed.
 *
 * @see AgentSelect, ICML 2026, online composition without a model; the last sort is ours
 */
export function seedSets(tools: readonly ToolEvidence[]): readonly Toolset[] {
  const places = [...tools.keys()]
  const firsts = (tools[0]?.serves ?? []).flatMap((_, step) => bestOf(tools, step))
  const pairs = places
    .slice(0, paired)
    .flatMap((one) => places.slice(one + 1, paired).map((other) => [one, other]))
  const surest = places.slice(0, mostHeld).map((place) => places.slice(0, place + 1))
  return [[], ...places.slice(0, alone).map((place) => [place]), ...pairs, firsts, ...surest].map(asSet)
}

/** The tool that is surest to do a step; none when no tool does any of it. */
export function bestOf(
  tools: readonly ToolEvidence[],
  step: number,
  among = [...tools.keys()],
): readonly number[] {
  const served = (place: number): number => tools[place]!.serves[step] ?? 0
  const best = among.reduce<number | undefined>(
    (found, place) => (found === undefined || served(place) > served(found) ? place : found),
    undefined,
  )
  return best === undefined || served(best) === 0 ? [] : [best]
}

const asSet = (places: readonly number[]): Toolset => [...new Set(places)].sort((a, b) => a - b)

/** What candidates are made of. */
export type Shortlist = {
  readonly tools: readonly ToolEvidence[]
  /** How many backbones can be called; 1 where a null one stands for them. */
  readonly backbones: number
  /** Candidates that a model gave. */
  readonly given: readonly ProfileCandidate[]
}

/**
 * Seeds, and from the best on what one change makes of them: another backbone, a tool more, a tool less. Each backbone and set once.
 *
 * @returns at most {@link mostCandidates}
 */
export function candidatesOf(
  { tools, backbones, given }: Shortlist,
  score: Scorer,
): readonly ProfileCandidate[] {
  const all = new Map<string, ProfileCandidate>()
  const add = ({ backbone, tools: places }: ProfileCandidate): void => {
    const set = asSet(places)
    const key = `${backbone} ${set.join()}`
    if (set.length <= mostHeld && all.size < mostCandidates && !all.has(key))
      all.set(key, { backbone, tools: set })
  }
  for (const candidate of given) add(candidate)
  const sets = seedSets(tools)
  for (let backbone = 0; backbone < Math.min(seedBackbones, backbones); backbone += 1)
    for (const set of sets) add({ backbone, tools: set })
  const seeds = [...all.values()]
    .map((seed) => ({ seed, score: score(seed) }))
    .sort((a, b) => b.score - a.score)
  for (const { seed } of seeds) for (const changed of changesOf(seed, tools.length, backbones)) add(changed)
  return [...all.values()]
}

function* changesOf(
  { backbone, tools: set }: ProfileCandidate,
  tools: number,
  backbones: number,
): Generator<ProfileCandidate> {
  for (let place = 0; place < tools; place += 1)
    if (!set.includes(place)) yield { backbone, tools: [...set, place] }
  for (const place of set) yield { backbone, tools: set.filter((other) => other !== place) }
  for (let other = 0; other < backbones; other += 1)
    if (other !== backbone) yield { backbone: other, tools: set }
}

/** What a tool that none of those before holds is worth to the order, per probability that the task needs it. */
const novelty = 2

/**
 * The best candidate, and behind it those that hold what it lacks: whoever finds it wanting looks further for another tool, not for the same
 * ones again.
 */
export function ordered(
  candidates: readonly ProfileCandidate[],
  score: Scorer,
  { tools, k }: { readonly tools: readonly ToolEvidence[]; readonly k: number },
): readonly (ProfileCandidate & { readonly score: number })[] {
  const left = candidates.map((candidate) => ({ ...candidate, score: score(candidate) }))
  const held = new Set<number>()
  const chosen: (typeof left)[number][] = []
  while (chosen.length < k && left.length > 0) {
    const fresh = (set: Toolset): number =>
      set.reduce((sum, place) => sum + (held.has(place) ? 0 : tools[place]!.need), 0)
    const worth = left.map(
      ({ score: own, tools: set }) => own + (chosen.length === 0 ? 0 : novelty * fresh(set)),
    )
    const best = worth.reduce((found, value, place) => (value > worth[found]! ? place : found), 0)
    const [next] = left.splice(best, 1)
    chosen.push(next!)
    for (const place of next!.tools) held.add(place)
  }
  return chosen
}
