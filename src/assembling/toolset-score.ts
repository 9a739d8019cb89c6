import type { ToolEvidence } from './tool-evidence.ts'

/** A set of tools, by their places among those that were found. Ascending. */
export type Toolset = readonly number[]

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
