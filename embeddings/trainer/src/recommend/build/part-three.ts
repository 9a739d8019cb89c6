import { type Part, positivesOf, profileBook, type Question } from './parts.ts'
import { coveragePrototypes } from './prototypes.ts'
import { type EmbedTexts, nearestTo } from './text-vectors.ts'

/** Part III, and how many of its requests nothing of the other part was near enough to. */
type ComposedPart = { readonly part: Part; readonly alone: number }

/** Neighbours that are borrowed from, and how like they are at least: five as in the reference implementation; cosines of ours are lower. */
const neighbours = { most: 5, least: 0.35 }

/**
 * Part III, agents with a backbone and tools, composed without a language model: a request of Part I keeps its models and borrows the
 * toolkits of the requests of Part II next to it; one of Part II keeps its toolkit and borrows models. The requests cover both parts. They are
 * pseudo-positives: nobody ran them.
 *
 * @see AgentSelect, ICML 2026, section 3, whose language model combines what it is given
 */
export async function composedPart(
  models: Part,
  toolkits: Part,
  { budget, embed }: { readonly budget: number; readonly embed: EmbedTexts },
): Promise<ComposedPart> {
  const sides = [models, toolkits]
  const vectors = await Promise.all(sides.map(({ questions }) => embed(questions.map(({ text }) => text))))
  const all = sides.flatMap(({ questions }, side) =>
    questions.map((question, place) => ({ question, side, place })),
  )
  const chosen = coveragePrototypes(vectors.flat(), budget)
  const profileOf = new Map(sides.flatMap(({ profiles }) => profiles.map((one) => [one.id, one] as const)))
  const book = profileBook('PartIII')
  const questions: Question[] = []
  for (const at of chosen) {
    const { question, side, place } = all[at]!
    const other = 1 - side
    const near = nearestTo(vectors[side]![place]!, vectors[other]!, neighbours)
    const borrowed = new Map<string, number>()
    for (const { place: found, likeness } of near)
      for (const [rank, id] of sides[other]!.questions[found]!.ranking.entries())
        borrowed.set(id, (borrowed.get(id) ?? 0) + likeness / Math.log2(rank + 2))
    const own = question.ranking.map((id, rank) => [id, 1 / Math.log2(rank + 2)] as const)
    const pairs = own
      .flatMap(([id, worth]) =>
        [...borrowed].map(([with_, likeness]) => ({ id, with_, score: worth * likeness })),
      )
      .sort((a, b) => b.score - a.score || (a.id + a.with_ < b.id + b.with_ ? -1 : 1))
      .slice(0, positivesOf.PartIII)
    if (pairs.length === 0) continue
    const ranking = pairs.map((pair) => {
      const [model, toolkit] = side === 0 ? [pair.id, pair.with_] : [pair.with_, pair.id]
      return book.idOf(profileOf.get(model)!.backbone, profileOf.get(toolkit)!.tools)
    })
    questions.push({ id: `question_${questions.length}`, text: question.text, ranking })
  }
  return {
    part: { name: 'PartIII', profiles: book.profiles(), questions },
    alone: chosen.length - questions.length,
  }
}
