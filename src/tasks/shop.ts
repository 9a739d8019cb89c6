import pLimit from 'p-limit'
import type { Progress } from '../domain/progress.ts'
import type { Card } from '../domain/card.ts'
import { alikeCards } from '../evaluation/self/self-dataset.ts'
import { copiesCard, namesCard } from '../evaluation/findability/copies-card.ts'
import type { Budget } from '../probing/run/budget.ts'
import { scanCards } from '../trust/scan/scan-cards.ts'
import { openDesk, type TaskEstimate } from './desk.ts'
import type { Dropped, DropReason, GeneratedTask, TaskKind } from './generated-task.ts'
import type { TaskGround, WrittenTask } from './ports.ts'
import { templatesName } from './templates.ts'
import { plainWords } from '../evaluation/host-rankers/host-ranker.ts'
import { nounLikeVerbs, sureVerbs } from '../retrieval/query/steps/clause-words.ts'

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

/** A fault of a text, and whether to write it once more may mend it. */
export type TextFault = { readonly reason: DropReason; readonly why: string }

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
  const isByRule = writer.name === templatesName
  const namedIn = nameFinder(cards.values())
  const withCopies = (some: readonly Card[]): readonly Card[] =>
    some.flatMap((card) => (alike.get(card.id) ?? []).flatMap((id) => cards.get(id) ?? []).concat(card))

  /** Whoever is run on a task may turn out to be who does it: of a job all candidates are. */
  const runOn = (targets: readonly Card[], others: readonly Card[]): readonly Card[] => {
    if (order.job !== undefined) return [...cards.values()]
    return ground.execute === undefined ? targets : [...targets, ...others]
  }

  return {
    order,
    ground,
    desk,
    made,
    dropped,
    isByRule,
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
    /** What makes a text unfit that asks for some cards, and was written with others in view; null when nothing does. */
    faultOf(text: string, targets: readonly Card[], others: readonly Card[] = []): TextFault | null {
      const finding = scanned(text)
      if (finding !== undefined) return { reason: 'suspicious', why: finding }
      const judged = withCopies(runOn(targets, others))
      const named = order.names ? undefined : namedIn(text, { judged, shown: others })
      if (named !== undefined) return { reason: 'names-a-card', why: `it names ${named}` }
      const copied = isByRule ? undefined : judged.find((card) => copiesCard(text, card))
      if (copied === undefined) return null
      return { reason: 'copies-the-card', why: `it has four words in a row of ${copied.id}` }
    },
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

/** What a model wrote after reading strangers' cards may be their words: it is scanned as they are. */
export function scanned(text: string): string | undefined {
  const provenance = { reader: 'tasks', location: '' }
  const named = { id: 'task', source: 'task', name: 'task', description: text, examples: [], tags: [] }
  const card: Card = { kind: 'tool', ...named, provenance, parameters: [] }
  return scanCards([card]).get('task')?.[0]?.message
}

/** What a text must not name: the cards that it asks for, and those that were shown beside them. */
type Nameable = { readonly judged: readonly Card[]; readonly shown: readonly Card[] }

/**
 * Finds names of cards in texts. Of the cards that a text asks for, and of their servers, the words of the name count. Of those shown
 * beside them only the name as it is written does, since its words may stand in any request. An id gives away any card.
 *
 * @param cards - all that is searched
 * @returns what finds the id or server that a text names; undefined when it names none
 */
function nameFinder(cards: Iterable<Card>) {
  const ids = new Set([...cards].map(({ id }) => id.toLowerCase()))
  return (text: string, { judged, shown }: Nameable): string | undefined => {
    const words = new Set(plainWords(text))
    const quoted = new Set(
      Array.from(text.matchAll(/[`"'“‘]([^`"'“”‘’\s]{1,80})[`"'”’]/gu), ([, one]) => one!.toLowerCase()),
    )
    const isSaid = (name: string, card: Card): boolean => {
      const own = plainWords(name)
      if (own.length !== 1) return namesCard(text, { ...card, name, title: '' })
      const [word = ''] = own
      if (quoted.has(word)) return true
      return words.has(word) && !sureVerbs.has(word) && !nounLikeVerbs.has(word) && !saidBy(card).has(word)
    }
    for (const card of judged) {
      if ([card.name, card.title ?? ''].some((name) => isSaid(name, card))) return card.id
      const server = card.kind === 'tool' ? card.server : undefined
      if (server !== undefined && isSaid(server, card)) return `the server ${server}`
      if (holdsWritten(text, card.source)) return `the source ${card.source}`
    }
    return shown.find(({ name }) => holdsWritten(text, name))?.id ?? idIn(text, ids)
  }
}

/** Words with which a card tells what it does: who says them need not know its name. */
const saidBy = ({ description, examples, ...card }: Card): ReadonlySet<string> => {
  const parts = card.kind === 'tool' ? card.parameters : card.tools
  const texts = [description, ...examples, ...parts.map((part) => `${part.name} ${part.description ?? ''}`)]
  return new Set(texts.flatMap(plainWords))
}

/** A name that no word of a language is, as it is written. */
const holdsWritten = (text: string, name: string): boolean =>
  /[^a-z]/i.test(name) && text.toLowerCase().includes(name.toLowerCase())

const idIn = (text: string, ids: ReadonlySet<string>): string | undefined =>
  (text.toLowerCase().match(/[^\s`"'“”‘’(),;<>]{3,}/gu) ?? [])
    .map((word) => word.replace(/[.:!?]$/u, ''))
    .find((word) => word.includes('/') && ids.has(word))
