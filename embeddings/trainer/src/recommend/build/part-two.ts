import type { Card } from '../../../../../src/domain/card.ts'
import { seedOf } from '../../../../../src/domain/random.ts'
import type { TrainingCorpus } from '../../data/corpus.ts'
import { type Part, profileBook, type Question } from './parts.ts'

/** Part II, and what its tools do. */
type ToolsPart = { readonly part: Part; readonly tools: ReadonlyMap<string, string> }

/**
 * Part II, agents that are a toolkit alone: the tools that a request needs by its labels are one agent, and its single positive. Requests
 * that need the same tools share it.
 *
 * @param perSet - requests of one set at most, drawn by their text
 */
export function toolkitsPart(corpora: readonly TrainingCorpus[], perSet: number): ToolsPart {
  const nameOf = namesOf(corpora)
  const tools = new Map<string, string>()
  const book = profileBook('PartII')
  const questions: Question[] = []
  for (const { name, cards, queries } of corpora) {
    const byId = new Map(cards.map((card) => [card.id, card]))
    const drawn = [...queries]
      .map((query) => ({ query, draw: seedOf(`${name}\n${query.text}`) }))
      .sort((a, b) => a.draw - b.draw || (a.query.id < b.query.id ? -1 : 1))
      .slice(0, perSet)
    for (const { query } of drawn) {
      const own = query.relevant.map((id) => byId.get(id)!)
      for (const card of own) tools.set(nameOf(card), card.description)
      questions.push({
        id: `PartII_question_${questions.length}`,
        text: query.text,
        ranking: [book.idOf(null, own.map(nameOf))],
      })
    }
  }
  return { part: { name: 'PartII', profiles: book.profiles(), questions }, tools }
}

/** Tools are told apart by their names; where two of one name do different things, their source stands before it. */
function namesOf(corpora: readonly TrainingCorpus[]): (card: Card) => string {
  const texts = new Map<string, Set<string>>()
  for (const { cards } of corpora)
    for (const { name, description } of cards)
      texts.set(name, (texts.get(name) ?? new Set()).add(description))
  return ({ name, id }) => (texts.get(name)!.size > 1 ? id : name)
}
