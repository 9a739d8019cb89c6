import { isJsonObject } from '../../../../../src/domain/json.ts'
import { DatasetError } from '../../../../../src/evaluation/datasets/dataset.ts'
import { numberedLinesOf } from '../../../../../src/evaluation/datasets/files.ts'
import { type Part, positivesOf, profileBook, type Question } from './parts.ts'
import { coveragePrototypes } from './prototypes.ts'
import type { EmbedTexts } from './text-vectors.ts'

/** What models made of one request. */
type Outcome = { readonly text: string; readonly scores: ReadonlyMap<string, number> }

/** Part I, and how many requests it lacks since no model served them. */
type ModelsPart = { readonly part: Part; readonly unserved: number }

/**
 * Part I, agents that are a model alone, from tables of outcomes: `{query, scores: {model: 0..1}}` a line. The positives of a request are
 * the models that served it at all, by their score and then by their mean over all requests. Of more requests than the budget, those that
 * cover the rest are taken.
 *
 * @throws DatasetError for a file that holds no outcomes
 */
export async function modelsPart(
  files: readonly string[],
  { budget, embed }: { readonly budget: number; readonly embed: EmbedTexts },
): Promise<ModelsPart> {
  const outcomes = files.flatMap(outcomesOf)
  const means = meansOf(outcomes)
  const served = outcomes.filter(({ scores }) => [...scores.values()].some((score) => score > 0))
  const chosen = coveragePrototypes(await embed(served.map(({ text }) => text)), budget)
  const book = profileBook('PartI')
  for (const model of [...means.keys()].sort()) book.idOf(model, [])
  const questions = chosen.map((place, number): Question => {
    const { text, scores } = served[place]!
    const models = [...scores]
      .filter(([, score]) => score > 0)
      .sort(([a, one], [b, other]) => other - one || means.get(b)! - means.get(a)! || (a < b ? -1 : 1))
    return {
      id: `PartI_question_${number}`,
      text,
      ranking: models.slice(0, positivesOf.PartI).map(([model]) => book.idOf(model, [])),
    }
  })
  return {
    part: { name: 'PartI', profiles: book.profiles(), questions },
    unserved: outcomes.length - served.length,
  }
}

function outcomesOf(file: string): readonly Outcome[] {
  const outcomes = numberedLinesOf(file).map(({ line, record: { query, scores } }): Outcome => {
    const known = isJsonObject(scores) ? Object.entries(scores) : []
    const wrong = known.find(([, score]) => typeof score !== 'number' || !(score >= 0))
    if (typeof query !== 'string' || query.trim() === '' || known.length === 0 || wrong !== undefined)
      throw new DatasetError(
        `${file}, line ${line}: ${wrong ? `the score of "${wrong[0]}" is no number from 0` : '"query" or "scores" is missing'}.`,
        'Write {"query": "…", "scores": {"model": 0.5}} a line.',
      )
    return { text: query, scores: new Map(known as [string, number][]) }
  })
  if (outcomes.length > 0) return outcomes
  throw new DatasetError(`${file}: holds no outcomes.`, 'Give a file with {"query", "scores"} a line.')
}

function meansOf(outcomes: readonly Outcome[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { scores } of outcomes)
    for (const [model, score] of scores) {
      const { sum, count } = sums.get(model) ?? { sum: 0, count: 0 }
      sums.set(model, { sum: sum + score, count: count + 1 })
    }
  return new Map([...sums].map(([model, { sum, count }]) => [model, sum / count]))
}
