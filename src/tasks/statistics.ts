import { plainWords } from '../evaluation/host-rankers/host-ranker.ts'
import { embeddingText } from '../retrieval/text/card-texts.ts'
import type { GeneratedTask } from './generated-task.ts'
import type { TaskGround } from './ports.ts'
import { dot, rougeL } from './texts.ts'

/** How easy a set of tasks is. All shares are of 1. */
export type TaskStatistics = {
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
export async function statisticsOf(
  tasks: readonly GeneratedTask[],
  ground: TaskGround,
): Promise<TaskStatistics> {
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
