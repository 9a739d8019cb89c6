import type { Card } from '../domain/card.ts'
import { embeddingText } from '../retrieval/text/card-texts.ts'
import type { TaskEstimate } from './desk.ts'
import type { TaskKind } from './generated-task.ts'
import { leastSingles } from './multi.ts'
import type { TaskWriter } from './ports.ts'
import type { TaskOrder } from './shop.ts'

/** Of each task: how many single tasks it takes, and what is asked beside these. A merged task has three parts to check. */
const takes: { readonly [kind in TaskKind]: { readonly singles: number; readonly besides: number } } = {
  single: { singles: 1, besides: 0 },
  multi: { singles: 1, besides: 4 },
  description: { singles: 100, besides: 101 },
  toolret: { singles: 2, besides: 1 },
}
/** A single task is written and judged, and one in three is written and judged once more. */
const asksOfSingle = 2.7
/** Cards that are shown when a task is written: the target and four others. */
const shown = 5
/** Tokens of a question without its cards, of an answer, and most of a card. */
const [frame, answer, mostOfCard] = [450, 120, 400]

/** Null where nothing leaves this machine. */
export function estimateOf(
  { kind, count, targets }: TaskOrder,
  writer: TaskWriter,
  isExecuted: boolean,
): TaskEstimate | null {
  if (writer.host === null) return null
  const { singles, besides } = takes[kind]
  const perDescription = Math.min(singles, targets.length)
  const merged = kind === 'multi' ? Math.max(count, leastSingles) : count
  const written = kind === 'description' ? Math.min(count * perDescription, targets.length) : merged * singles
  const calls = isExecuted ? written * (shown - 1) : 0
  const asked = kind === 'description' ? count * (perDescription + 1) : count * besides
  const ofCard = targets.reduce((sum, card) => sum + tokensOf(card), 0) / Math.max(1, targets.length)
  const questions = Math.ceil(written * asksOfSingle + asked + calls)
  const input = Math.ceil(questions * frame + (written * shown + calls) * ofCard)
  const output = questions * answer
  const cost = writer.costOf({ input, output })
  const { name: model, host } = writer
  return { model, host, questions, tokens: input + output, ...(cost === undefined ? {} : { cost }) }
}

const tokensOf = (card: Card): number => Math.min(mostOfCard, Math.ceil(embeddingText(card).length / 4))
