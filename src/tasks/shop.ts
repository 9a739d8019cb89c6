import pLimit from 'p-limit'
import type { Progress } from '../domain/progress.ts'
import type { Card } from '../domain/card.ts'
import { alikeCards } from '../evaluation/self/self-dataset.ts'
import type { Budget } from '../probing/budget.ts'
import { faultFinder, isByRule } from './faults.ts'
import { openDesk, type TaskEstimate } from './desk.ts'
import type { Dropped, DropReason, GeneratedTask, TaskKind } from './generated-task.ts'
import type { TaskGround, WrittenTask } from './ports.ts'

/** How far the making is. */
export type TaskProgress = Progress & { readonly what: string }

/** What is to be made. */
export type TaskOrder = {
  readonly kind: TaskKind
  /** Tasks wanted; fewer may come. Integer >= 1. */
  readonly count: number
  /** Cards that tasks are made for. */
  readonly targets: readonly Card[]
  /** What every task is to be part of, which all cards will be run on. @defaultValue whatever the targets do */
  readonly job?: string
  /** Whether a task may name the cards that it is for. */
  readonly names: boolean
  /** Decides the order of targets, and whatever else is drawn. */
  readonly seed: number
  readonly budget: Budget
  /** What the user agreed to. @defaultValue nothing bounds what is asked but the budget */
  readonly agreed?: TaskEstimate
  readonly onProgress: (progress: TaskProgress) => void
  readonly signal: AbortSignal
  readonly now: () => number
}

/** A task for one card, and who solves it. */
export type Single = WrittenTask & {
  readonly target: Card
  /** Ids of cards that serve: the target and its copies, or who solved it. */
  readonly expected: readonly string[]
}

/** A part of a merged request, and whether the request asks for it; the model may give no verdict. */
export type JudgedPart = { readonly reader: boolean; readonly model: boolean | null }

/** A pool's cosines to its centre, and the least with which a query stayed. */
export type PoolCosines = { readonly cosines: readonly number[]; readonly least: number }

/** Texts that are written at the same time. */
const atOnce = 4

/** What the makers of all kinds work with. */
export type Shop = ReturnType<typeof openShop>

export function openShop(order: TaskOrder, ground: TaskGround) {
  const { signal, now, budget, agreed } = order
  const { writer, kept, cards } = ground
  const desk = openDesk({ writer, kept, budget, agreed, signal, now })
  const made: GeneratedTask[] = []
  const dropped: Dropped[] = []
  const alike = new Map(
    alikeCards([...cards.values()]).flatMap((group) => group.map((id) => [id, group] as const)),
  )
  const limit = pLimit(atOnce)
  return {
    order,
    ground,
    desk,
    made,
    dropped,
    isByRule: isByRule(ground),
    /** One task of each card, for pools that share cards; null of a card for which none could be made. */
    singles: new Map<string, Single | null>(),
    judged: [] as JudgedPart[],
    pools: [] as PoolCosines[],
    /** Runs of candidates: those that were judged, and those that did not come about. */
    runs: { judged: 0, none: 0 },
    add(task: Omit<GeneratedTask, 'id'>): void {
      made.push({ id: `${order.kind}-${made.length + 1}`, ...task })
    },
    ask: desk.ask,
    /** A card, and those that are the same thing listed again. */
    sameAs: (id: string): readonly string[] => alike.get(id) ?? [id],
    drop(reason: DropReason, of: string, said: { readonly text?: string; readonly why?: string } = {}): null {
      dropped.push({ reason, of, ...said })
      return null
    },
    /** Some at once, in order. What fails is thrown when all are done, so that nothing is under way any more. */
    async all<From, To>(items: readonly From[], make: (item: From) => Promise<To>): Promise<readonly To[]> {
      const settled = await Promise.allSettled(items.map((item) => limit(() => make(item))))
      return settled.map((one) => {
        if (one.status === 'rejected') throw one.reason
        return one.value
      })
    },
    /** The cards that some tasks expect. */
    cardsOf: (singles: readonly Single[]): readonly Card[] =>
      [...new Set(singles.flatMap(({ expected }) => expected))].flatMap((id) => cards.get(id) ?? []),
    nearest: nearestIn(ground, alike),
    faultOf: faultFinder(order, ground, alike),
  }
}

/** @param alike - ids of the same thing, by each of them */
function nearestIn({ cards, search }: TaskGround, alike: ReadonlyMap<string, readonly string[]>) {
  const nearest = new Map<string, { readonly most: number; readonly cards: readonly Card[] }>()
  /** Cards of the target's kind that are nearest to it, nearest first, without what is the same thing. */
  return async (target: Card, most: number): Promise<readonly Card[]> => {
    const known = nearest.get(target.id)
    if (known !== undefined && known.most >= most) return known.cards.slice(0, most)
    const own = new Set(alike.get(target.id) ?? [target.id])
    const text = (target.description.trim() || target.title || target.name).slice(0, 1000)
    const found = await search(target.kind, text, Math.min(100, most + own.size))
    const near = found.flatMap((id) => (own.has(id) ? [] : (cards.get(id) ?? []))).slice(0, most)
    nearest.set(target.id, { most, cards: near })
    return near
  }
}
