import { NoMoreAnswers, type AskedOfWriter } from './desk.ts'
import { type CosineReport, cosineReport, makeDescriptions } from './description.ts'
import {
  type Dropped,
  type DropReason,
  dropReasons,
  type GeneratedTask,
  type TaskKind,
} from './generated-task.ts'
import { makeMulti, entailmentReport, type EntailmentReport } from './multi.ts'
import type { TaskGround } from './ports.ts'
import { openShop, type Shop, type TaskOrder } from './shop.ts'
import { makeSingleTasks } from './singles.ts'
import { makeToolRet } from './toolret.ts'
import { plainWords } from '../evaluation/host-rankers/host-ranker.ts'
import { embeddingText } from '../retrieval/text/card-texts.ts'
import { dot, rougeL } from './texts.ts'

/** What became of an order. */
export type TasksReport = {
  readonly kind: TaskKind
  /** The model that wrote, or `templates`. */
  readonly by: string
  /** Cards that tasks were wanted for. */
  readonly targets: number
  readonly wanted: number
  readonly made: number
  /** How many were dropped, by the reason. */
  readonly dropped: { readonly [reason in DropReason]?: number }
  /** All of them, as they were written. */
  readonly drops: readonly Dropped[]
  /** Null when no task was made. */
  readonly statistics: TaskStatistics | null
  readonly entailment?: EntailmentReport
  readonly cosines?: CosineReport
  /** Runs of candidates that were judged, and those that did not come about; absent when nothing was to be run. */
  readonly runs?: { readonly judged: number; readonly none: number }
  readonly asked: AskedOfWriter
  /** Why it ended before all was made; absent when it did not. */
  readonly stopped?: string
  readonly notes: readonly string[]
}

export type MadeTasks = { readonly tasks: readonly GeneratedTask[]; readonly report: TasksReport }

const makers: { readonly [kind in TaskKind]: (shop: Shop) => Promise<void> } = {
  single: makeSingleTasks,
  multi: makeMulti,
  description: makeDescriptions,
  toolret: makeToolRet,
}

/**
 * Makes tasks with judgements of cards, and says what was dropped and why. The same order over the same cards makes the same tasks, as
 * far as the writer answers the same.
 *
 * @throws what the signal was aborted with; what was answered until then is kept
 */
export async function makeTasks(order: TaskOrder, ground: TaskGround): Promise<MadeTasks> {
  const shop = openShop(order, ground)
  let stopped: string | undefined
  try {
    await makers[order.kind](shop)
  } catch (error) {
    if (!(error instanceof NoMoreAnswers)) throw error
    stopped = error.message
  } finally {
    shop.desk.close()
  }
  const { made, dropped, judged, runs } = shop
  const by = { writer: ground.writer.name, reader: ground.readings.by, isByRule: shop.isByRule }
  const entailment = entailmentReport(judged, by)
  const cosines = cosineReport(shop.pools, ground.vectors.by)
  return {
    tasks: made,
    report: {
      kind: order.kind,
      by: by.writer,
      targets: order.targets.length,
      wanted: order.count,
      made: made.length,
      dropped: countsOf(dropped),
      drops: dropped,
      statistics: made.length === 0 ? null : await statisticsOf(made, ground),
      ...(entailment === undefined ? {} : { entailment }),
      ...(cosines === undefined ? {} : { cosines }),
      ...(ground.execute === undefined ? {} : { runs }),
      asked: shop.desk.spent(),
      ...(stopped === undefined ? {} : { stopped }),
      notes: notesOf(shop, stopped !== undefined),
    },
  }
}

const countsOf = (dropped: readonly Dropped[]): TasksReport['dropped'] =>
  Object.fromEntries(
    (Object.keys(dropReasons) as DropReason[])
      .map((reason) => [reason, dropped.filter((one) => one.reason === reason).length] as const)
      .filter(([, count]) => count > 0),
  )

function notesOf({ order, isByRule, made, ground, runs }: Shop, isStopped: boolean): readonly string[] {
  return [
    ...(isByRule
      ? [
          'Written by templates, of what the cards say: search finds such tasks more easily than what people ask.',
        ]
      : []),
    ...(isByRule && order.kind === 'description'
      ? ['Goals by templates are words that the cards share: a model writes goals that people have.']
      : []),
    ...(order.kind === 'toolret'
      ? [
          'Instructions were written with the target in view, and give it away: report figures without them first.',
        ]
      : []),
    ...(ground.execute === undefined
      ? ['Nothing was run: that the expected card solves a task is believed, not shown.']
      : []),
    ...(ground.execute !== undefined && runs.judged === 0
      ? [
          'No candidate was run and judged: `audition allow` says what may be started, and AUDITION_LLM judges answers.',
        ]
      : []),
    ...(made.length < order.count
      ? [
          isStopped
            ? `Made so far: ${made.length} of ${order.count}. The same command goes on from here, and pays for no kept answer twice.`
            : `Fewer than were wanted: the cards gave ${made.length} of ${order.count}.`,
        ]
      : []),
  ]
}

/** How easy a set of tasks is. All shares are of 1. */
type TaskStatistics = {
  /** How the shipped search ranks the expected cards, by the best of them. */
  readonly difficulty: {
    readonly 'hit@1': number
    readonly 'hit@5': number
    readonly 'mrr@10': number
    /** Tasks none of whose cards are among the first hundred. */
    readonly notFound: number
  }
  readonly diversity: {
    /** Cards that some task expects. */
    readonly cards: number
    /** 1 less the mean cosine of two tasks; null of one task. */
    readonly distance: number | null
    /** Share of different ones among all pairs of words in a row. */
    readonly distinctPairs: number
  }
  /** ROUGE-L of a task with the card that it is most like among those expected. ToolRet's queries have 0.06. */
  readonly overlap: { readonly mean: number; readonly median: number; readonly most: number }
}

/** Tasks whose distances are taken: more tell nothing more. */
const mostCompared = 400
/** Letters of a card that are compared. */
const mostLetters = 2000

/** @param tasks - at least one */
async function statisticsOf(tasks: readonly GeneratedTask[], ground: TaskGround): Promise<TaskStatistics> {
  const places: number[] = []
  for (const { kind, query, expected } of tasks) {
    const found = await ground.search(kind, query, 100)
    const place = found.findIndex((id) => id in expected)
    places.push(place < 0 ? Number.POSITIVE_INFINITY : place + 1)
  }
  const share = (is: (place: number) => boolean) => places.filter(is).length / places.length
  const overlaps = tasks
    .map(({ query, expected }) => {
      const cards = Object.keys(expected).flatMap((id) => ground.cards.get(id) ?? [])
      return Math.max(0, ...cards.map((card) => rougeL(query, embeddingText(card).slice(0, mostLetters))))
    })
    .sort((a, b) => a - b)
  const pairs = tasks.flatMap(({ query }) => pairsOf(query))
  return {
    difficulty: {
      'hit@1': share((place) => place === 1),
      'hit@5': share((place) => place <= 5),
      'mrr@10': mean(places.map((place) => (place <= 10 ? 1 / place : 0))),
      notFound: share((place) => place === Number.POSITIVE_INFINITY),
    },
    diversity: {
      cards: new Set(tasks.flatMap(({ expected }) => Object.keys(expected))).size,
      distance: await distanceOf(tasks, ground),
      distinctPairs: pairs.length === 0 ? 1 : new Set(pairs).size / pairs.length,
    },
    overlap: {
      mean: mean(overlaps),
      median: overlaps[Math.floor(overlaps.length / 2)]!,
      most: overlaps.at(-1)!,
    },
  }
}

async function distanceOf(tasks: readonly GeneratedTask[], { vectors }: TaskGround): Promise<number | null> {
  const compared = await vectors.of(tasks.slice(0, mostCompared).map(({ query }) => query))
  if (compared.length < 2) return null
  const cosines = compared.flatMap((one, place) => compared.slice(place + 1).map((other) => dot(one, other)))
  return 1 - mean(cosines)
}

function pairsOf(text: string): readonly string[] {
  const words = plainWords(text)
  return words.slice(1).map((word, place) => `${words[place]} ${word}`)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
