import { setImmediate } from 'node:timers/promises'
import { type SeededRandom, seededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import type { TreeModel } from '../../../../src/retrieval/rank/boosted-trees.ts'
import { addTree, type BinnedTree } from './binned-tree.ts'
import { binRows, type Cuts, chooseCuts, valueBins } from './binning.ts'
import { type BoostingSettings, boostingSettings } from './boosting-settings.ts'
import { checkRows, endOfQuery, type GradedRows } from './graded-rows.ts'
import { treeGrower } from './grow-tree.ts'
import type { Derivatives } from './histogram.ts'
import type { Objective } from './objective.ts'
import { type ObjectiveName, objectives } from './objectives.ts'

/** How the model does after a tree. Higher is better. */
export type BoostingProgress = {
  /** Counted from 1. */
  readonly tree: number
  /** Name of the measure: ndcg@10 for ranking, log-likelihood per row for logistic. */
  readonly measure: string
  readonly train: number
  /** Absent without validation rows. */
  readonly validation?: number
}

export type BoostingInput = {
  /** Names of the features, in the order of a row's columns. */
  readonly features: readonly string[]
  readonly objective: ObjectiveName
  readonly rows: GradedRows
  /** Rows of other queries: the trees that do best on them are kept. */
  readonly validation?: GradedRows
  readonly settings?: Partial<BoostingSettings>
  /** Told after each tree. What it throws ends the training. */
  readonly onTree?: (progress: BoostingProgress) => void
}

type TrainedTrees = {
  readonly model: TreeModel
  /** After each tree, those beyond the best too. */
  readonly history: readonly BoostingProgress[]
  /** Per feature the gain of all splits that ask for it: how much the training used it. */
  readonly gains: Float64Array
}

/**
 * Gradient boosting: each tree is grown on histograms of the loss's derivatives, leaf by leaf, and takes a Newton step.
 *
 * @throws Error for rows or settings that do not fit; the message says where
 * @see Friedman, Annals of Statistics 2001; Burges, MSR-TR-2010-82; Ke et al., NIPS 2017
 */
export function trainBoostedTrees(input: BoostingInput): TrainedTrees {
  const growing = growTrees(input)
  for (;;) {
    const { done, value } = growing.next()
    if (done) return value
  }
}

/**
 * The same, one tree a turn of the event loop, so that the process stays awake.
 *
 * @throws the signal's reason when it is aborted
 */
export async function trainBoostedTreesInTurns(
  input: BoostingInput,
  signal?: AbortSignal,
): Promise<TrainedTrees> {
  const growing = growTrees(input)
  for (;;) {
    await setImmediate()
    signal?.throwIfAborted()
    const { done, value } = growing.next()
    if (done) return value
  }
}

/** Grows the trees; pauses after each. */
function* growTrees(input: BoostingInput): Generator<undefined, TrainedTrees> {
  const { features, rows, validation } = input
  const settings = boostingSettings(input.settings ?? {}, features.length)
  const objective: Objective = objectives[input.objective]
  for (const [what, own] of [
    ['training rows', rows],
    ['validation rows', validation],
  ] as const) {
    if (own === undefined) continue
    checkRows(own, features, what)
    const complaint = objective.complaint(own)
    if (complaint !== undefined) throw new Error(`${what}: ${complaint}`)
  }
  const random = seededRandom(settings.seed)

  const cuts = chooseCuts(rows.features, { width: features.length, bins: settings.bins, random })
  const missingBins = cuts.map(valueBins)
  const binned = binRows(rows.features, cuts)
  const grower = treeGrower(
    binned,
    missingBins.map((bin) => bin + 1),
    settings,
  )
  const derive = objective.derivatives(rows, settings)
  const derivatives: Derivatives = {
    first: new Float32Array(binned.rows),
    second: new Float32Array(binned.rows),
  }
  const initial = objective.initial(rows)
  const follow = (own: GradedRows, ownBinned = binRows(own.features, cuts)): Followed => {
    const scores = new Float64Array(ownBinned.rows).fill(initial)
    const quality = objective.quality(own, settings)
    return {
      scores,
      add: (tree) => addTree(scores, ownBinned, tree, missingBins),
      quality: () => quality(scores),
    }
  }
  const training = follow(rows, binned)
  const validating = validation && follow(validation)

  const trees: BinnedTree[] = []
  const history: BoostingProgress[] = []
  let kept = 0
  let best = Number.NEGATIVE_INFINITY
  for (let turn = 0; turn < settings.trees; turn += 1) {
    const queries = draw(rows.groups.length, settings.rowFraction, random)
    const asked = draw(features.length, settings.featureFraction, random)
    derive(training.scores, queries, derivatives)
    const grown = grower.grow(rowsOf(rows, queries), derivatives, Array.from(asked))
    if (grown.child.length === 1) {
      // Other queries or features may still have something to learn; the same ones will not.
      if (settings.rowFraction === 1 && settings.featureFraction === 1) break
      continue
    }
    const tree = shrunk(grown, settings.learningRate)
    trees.push(tree)
    training.add(tree)
    validating?.add(tree)
    const progress: BoostingProgress = {
      tree: trees.length,
      measure: objective.measure,
      train: training.quality(),
      ...(validating && { validation: validating.quality() }),
    }
    history.push(progress)
    input.onTree?.(progress)
    yield
    if (progress.validation === undefined) kept = trees.length
    else if (progress.validation > best) {
      best = progress.validation
      kept = trees.length
    } else if (trees.length - kept >= settings.patience) break
  }
  trees.length = kept
  return {
    model: modelOf(trees, { features, initial, cuts }),
    history,
    gains: gainsOf(trees, features.length),
  }
}

/** Rows whose scores grow with each tree. */
type Followed = {
  readonly scores: Float64Array
  add(tree: BinnedTree): void
  quality(): number
}

/** A share of the numbers 0..count-1, at least one, ascending: each choice of that size is as likely. */
function draw(count: number, fraction: number, random: SeededRandom): Uint32Array {
  const chosen = new Uint32Array(Math.max(1, Math.round(count * fraction)))
  let taken = 0
  for (let number = 0; taken < chosen.length; number += 1) {
    const wanted = chosen.length - taken
    if (wanted < count - number && (random.uint32() / 2 ** 32) * (count - number) >= wanted) continue
    chosen[taken] = number
    taken += 1
  }
  return chosen
}

/** Numbers of the rows of some queries, ascending. */
function rowsOf(rows: GradedRows, queries: Uint32Array): Uint32Array {
  const chosen = new Uint32Array(rows.grades.length)
  let taken = 0
  for (const query of queries) {
    const end = endOfQuery(rows, query)
    for (let row = rows.groups[query]!; row < end; row += 1) {
      chosen[taken] = row
      taken += 1
    }
  }
  return chosen.subarray(0, taken)
}

/** Takes a part of the Newton step, in the 32 bits that the model keeps. */
const shrunk = (tree: BinnedTree, learningRate: number): BinnedTree => ({
  ...tree,
  value: tree.value.map((value) => Math.fround(value * learningRate)),
})

/** The threshold of a split that only missing values leave. */
const largestFloat = (2 - 2 ** -23) * 2 ** 127

/** Trees side by side, with thresholds in place of bins. */
function modelOf(
  trees: readonly BinnedTree[],
  {
    features,
    initial,
    cuts,
  }: { readonly features: readonly string[]; readonly initial: number; readonly cuts: Cuts },
): TreeModel {
  const count = trees.reduce((sum, { child }) => sum + child.length, 0)
  const nodes = {
    roots: new Uint32Array(trees.length),
    child: new Uint32Array(count),
    feature: new Uint16Array(count),
    threshold: new Float32Array(count),
    missingRight: new Uint8Array(count),
    value: new Float32Array(count),
  }
  let root = 0
  for (const [number, tree] of trees.entries()) {
    nodes.roots[number] = root
    for (let node = 0; node < tree.child.length; node += 1) {
      const at = root + node
      nodes.value[at] = tree.value[node]!
      if (tree.child[node] === 0) continue
      nodes.child[at] = root + tree.child[node]!
      nodes.feature[at] = tree.feature[node]!
      nodes.threshold[at] = cuts[tree.feature[node]!]![tree.bin[node]!] ?? largestFloat
      nodes.missingRight[at] = tree.missingRight[node] ? 1 : 0
    }
    root += tree.child.length
  }
  return { features, initial, nodes }
}

function gainsOf(trees: readonly BinnedTree[], features: number): Float64Array {
  const gains = new Float64Array(features)
  for (const { feature, gain } of trees)
    feature.forEach((own, node) => {
      gains[own]! += gain[node]!
    })
  return gains
}
