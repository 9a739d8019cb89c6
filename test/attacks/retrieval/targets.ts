import { join } from 'node:path'
import { spread } from '../../../bench/workplace.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import type { DatasetPart, JudgedQuery } from '../../../src/evaluation/datasets/dataset.ts'
import { bundled } from '../../../src/evaluation/datasets/bundled.ts'
import { devSets } from '../../../evals/benchmarks/src/toolret/dev-sets.ts'
import { readToolretSet, toolretSetNames } from '../../../evals/benchmarks/src/toolret/toolret-folders.ts'
import { packageRoot } from '../../../src/package-root.ts'
import type { Target } from './attack.ts'

/** Honest cards, the requests that are attacked, and those by which honest quality is read. */
export type Battlefield = {
  readonly cards: readonly ToolCard[]
  readonly targets: readonly Target[]
  readonly parts: readonly DatasetPart[]
}

const isTool = (card: { kind: string }): card is ToolCard => card.kind === 'tool'

function targetsOf(parts: readonly DatasetPart[], cards: readonly ToolCard[], count: number): Target[] {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const ofPart = ({ queries }: DatasetPart): Target[] =>
    queries.flatMap((query: JudgedQuery) => {
      const winners = [...query.grades].flatMap(([id, grade]) => (grade > 0 ? (byId.get(id) ?? []) : []))
      return winners.length > 0 ? [{ text: query.text, winners }] : []
    })
  // The same number of each part, as far as it goes, and all parts in turn.
  const lists = parts.map((part) => spread(ofPart(part), Math.ceil(count / parts.length)))
  const turns =
    lists[0] === undefined ? [] : Array.from({ length: Math.max(...lists.map(({ length }) => length)) })
  return turns.flatMap((_, turn) => lists.flatMap((list) => list[turn] ?? [])).slice(0, count)
}

/**
 * The development sets of a folder.
 *
 * @param corpus - `all`: the tools of every set of the folder are searched
 */
export function devBattlefield(data: string, count: number, corpus: 'development' | 'all'): Battlefield {
  const parts = devSets.map((name) => readToolretSet(data, name).part)
  const names = corpus === 'all' ? toolretSetNames(data).names.filter((name) => !devSets.includes(name)) : []
  const others = names.map((name) => readToolretSet(data, name).part)
  const cards = [...parts, ...others].flatMap((part) => part.cards).filter(isTool)
  return { cards, targets: targetsOf(parts, cards, count), parts }
}

/** Our own requests over the bundled tools. */
export async function bundledBattlefield(count: number): Promise<Battlefield> {
  const { parts } = await bundled.read(join(packageRoot, 'evals', 'bundled'), ['bundled-tools'])
  const cards = parts.flatMap((part) => part.cards).filter(isTool)
  return { cards, targets: targetsOf(parts, cards, count), parts }
}
