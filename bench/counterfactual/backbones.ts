import { mulberry32, seedOf } from '../../src/domain/random.ts'
import { bootstrapMean } from '../../src/evaluation/statistics/bootstrap.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import type { EmbeddingModel } from '../../src/retrieval/ports.ts'
import { search } from '../../src/retrieval/search/search.ts'
import type { Table } from '../bench.ts'
import { byEstimate, type OutcomeRow, readOutcomes } from '../model-outcomes.ts'
import { mean } from '../scores.ts'
import { spread } from '../workplace.ts'
import { agentOf } from './edits.ts'

const most = { all: 320, quick: 12 }

/** A request, and two backbones of which one did it better. */
type Swap = { readonly row: OutcomeRow; readonly right: string; readonly wrong: string }

/** Whether a swapped backbone is noticed where it is known which one serves a request better. */
export async function backbonesTable(
  {
    data,
    quick,
    log,
  }: { readonly data: string; readonly quick: boolean; readonly log: (message: string) => void },
  model: EmbeddingModel,
): Promise<Table> {
  const { train, test } = await readOutcomes(data, model, log)
  const names = Object.keys(train[0]!.scores).sort()
  const seen = new Set(train.map(({ task }) => task))
  const telling = test.filter(
    ({ task, scores }) => !seen.has(task) && new Set(names.map((name) => scores[name])).size > 1,
  )
  const swaps = spread(telling, quick ? most.quick : most.all).map((row) => swapOf(row, names))
  const estimates = byEstimate(
    train,
    swaps.map(({ row }) => row),
    names,
  )
  const means = new Map(names.map((name) => [name, mean(train.map(({ scores }) => scores[name]!))]))
  const searched = await byName(swaps, names, model)
  const ways: readonly (readonly [string, (swap: Swap, at: number) => (name: string) => number])[] = [
    ['a search of agents: its name', (_, at) => (name) => searched[at]!.get(name) ?? 0],
    ['its outcomes on all tasks', () => (name) => means.get(name)!],
    ['its outcomes on near tasks (`audition models`)', (_, at) => estimates[at]!],
  ]
  return {
    title: `Swap the backbone that did a request better for one that did it worse, ${swaps.length} requests of LLMRouter's test`,
    head: ['told by', 'mean drop', 'noticed'],
    rows: ways.map(([name, of]) => {
      const drops = swaps.map((swap, at) => of(swap, at)(swap.right) - of(swap, at)(swap.wrong))
      const share = bootstrapMean(drops.map((drop) => (drop > 0 ? 1 : 0)))
      const percent = (value: number): string => (100 * value).toFixed(1)
      return [
        name,
        mean(drops).toFixed(3),
        `${percent(share.mean)}% (${percent(share.low)} to ${percent(share.high)})`,
      ]
    }),
  }
}

/** Drawn by the request: two whose outcomes differ. */
function swapOf(row: OutcomeRow, names: readonly string[]): Swap {
  const random = mulberry32(seedOf(row.task))
  const draw = (): string => names[Math.floor(random() * names.length)]!
  for (;;) {
    const [right, wrong] = [draw(), draw()]
    if (row.scores[right]! > row.scores[wrong]!) return { row, right, wrong }
  }
}

async function byName(
  swaps: readonly Swap[],
  names: readonly string[],
  model: EmbeddingModel,
): Promise<readonly ReadonlyMap<string, number>[]> {
  const snapshot = await memorySnapshot(
    names.map((name) => agentOf(`model ${name}`, name, [])),
    model,
  )
  const scores: ReadonlyMap<string, number>[] = []
  for (const { row } of swaps) {
    const request = { kind: 'agent', query: row.task, k: names.length, pack: 'ranking' } as const
    const { candidates } = await search({ snapshot, model }, request)
    scores.push(
      new Map(
        candidates.flatMap(({ card, score }) =>
          card.kind === 'agent' && card.backbone ? [[card.backbone.name, score] as const] : [],
        ),
      ),
    )
  }
  return scores
}
