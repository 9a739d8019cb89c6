import fc from 'fast-check'
import type { ToolCard } from '../../src/domain/card.ts'
import { bm25f } from '../../src/retrieval/index/postings.ts'
import { toolCard } from '../fakes/fake-audition.ts'

type Field = keyof typeof bm25f.fields
const fields = Object.keys(bm25f.fields) as Field[]

/** Words that no stemming changes and no stop list knows, so that splitting at spaces is all the analysis there is. */
const vocabulary = ['kob', 'lum', 'vax', 'dorn', 'plim', 'grut', 'zek', 'hask', 'brolp', 'tolk']
/** A word that no card holds. */
export const unknownWord = 'quorv'

/** The words of one card, per field. */
export type PlainDocument = { readonly [field in Field]: readonly string[] }

const words = (maxLength: number) => fc.array(fc.constantFrom(...vocabulary), { maxLength })
const plainDocument: fc.Arbitrary<PlainDocument> = fc.record({
  name: words(3).filter((name) => name.length > 0),
  description: words(8),
  parameters: words(6),
  examples: words(4),
  body: words(8),
  enrichment: words(5),
})

/** Small corpora: words recur, texts are empty at times, and some documents come twice. */
export const corpora: fc.Arbitrary<readonly PlainDocument[]> = fc
  .array(plainDocument, { minLength: 1, maxLength: 14 })
  .map((documents) => [...documents, ...documents.slice(0, 2)])

/** Distinct words, known and unknown. */
export const queries: fc.Arbitrary<readonly string[]> = fc.uniqueArray(
  fc.constantFrom(...vocabulary, unknownWord),
  { minLength: 1, maxLength: 6 },
)

/** The documents as tool cards, whose ids ascend with their places. */
export const cardsOf = (documents: readonly PlainDocument[]): ToolCard[] =>
  documents.map(({ name, description, parameters, examples, body, enrichment }, place) =>
    toolCard(`corpus/${String(place).padStart(3, '0')}`, {
      name: name.join('_'),
      description: description.join(' '),
      parameters: parameters.map((parameter) => ({ name: parameter, description: '', required: false })),
      examples,
      documentation: body.length === 0 ? {} : { vax: body.join(' ') },
      ...(enrichment.length === 0
        ? {}
        : { enrichment: { model: 'zek', whenToUse: enrichment.join(' '), example: '', tags: [] } }),
    }),
  )

/** The body as the card publishes it: keys of the documentation are read, too. */
const asRead = (document: PlainDocument): PlainDocument =>
  document.body.length === 0 ? document : { ...document, body: ['vax', ...document.body] }

const count = (list: readonly string[], word: string): number => list.filter((other) => other === word).length

const idf = (documents: readonly PlainDocument[], word: string): number => {
  const having = documents.filter((document) => fields.some((field) => document[field].includes(word))).length
  return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))
}

/**
 * BM25F by its definition, document by document: no index, no quantisation.
 *
 * @returns per document its score, or undefined when it holds no word of the query
 */
export function naiveScores(
  published: readonly PlainDocument[],
  query: readonly string[],
): readonly (number | undefined)[] {
  const documents = published.map(asRead)
  const averageLength = (field: Field): number =>
    documents.reduce((sum, document) => sum + document[field].length, 0) / documents.length || 1
  const averages = new Map(fields.map((field) => [field, averageLength(field)]))
  return documents.map((document) => {
    let score: number | undefined
    for (const word of query) {
      let frequency = 0
      for (const field of fields) {
        const { weight, b } = bm25f.fields[field]
        const relativeLength = document[field].length / averages.get(field)!
        frequency += (weight * count(document[field], word)) / (1 - b + b * relativeLength)
      }
      if (frequency === 0) continue
      const saturated = (frequency * (bm25f.k1 + 1)) / (bm25f.k1 + frequency)
      score = (score ?? 0) + idf(documents, word) * saturated
    }
    return score
  })
}

/** Share of the query's idf that each document holds, in any field and in its name. */
export function naiveCoverage(
  published: readonly PlainDocument[],
  query: readonly string[],
): readonly { readonly share: number; readonly nameShare: number }[] {
  const documents = published.map(asRead)
  const sum = (some: readonly string[]): number =>
    some.reduce((total, word) => total + idf(documents, word), 0)
  return documents.map((document) => ({
    share: sum(query.filter((word) => fields.some((field) => document[field].includes(word)))) / sum(query),
    nameShare: sum(query.filter((word) => document.name.includes(word))) / sum(query),
  }))
}
