import { join } from 'node:path'
import { z } from 'zod'
import { cardsByHash } from '../../../../evals/benchmarks/src/natural-requests.ts'
import type { Card } from '../../../../src/domain/card.ts'
import { dataFolder } from '../data-folder.ts'
import type { FindCards } from './find-cards.ts'
import { type PlacedQuery, placedQuery } from './read-queries.ts'
import { type OnProblem, openOrReport, validLines } from './record-lines.ts'

/** The name of the set in splits, counts and model cards. */
const ownQuerySet = 'own-queries'
/** What it is left out by. */
export const ownQueryFamily = 'written'

/** Where the queries lie that are published with this package. */
export const ownQueriesFile = join(dataFolder, 'queries.jsonl')

const ownQuerySchema = z.strictObject({
  /** `own_` and the first ten hexadecimal digits of the SHA-256 of the query. */
  id: z.string().regex(/^own_[0-9a-f]{10}$/, 'must be "own_" and ten hexadecimal digits'),
  query: z.string().refine((text) => text.trim() !== '', 'must not be blank'),
  /** `contentHash` of every card that is needed, or that serves as well. */
  cards: z
    .array(z.string().regex(/^[0-9a-f]{32}$/, 'must be a content hash of 32 hexadecimal digits'))
    .min(1),
})

/** A query of our own: it names its cards by what they say, so that the file holds no text of them. */
type OwnQuery = z.infer<typeof ownQuerySchema>

/** Queries of our own, in the order of the file. A damaged line, or a file that cannot be read, is reported. */
export function readOwnQueries(file: string, onProblem: OnProblem): readonly OwnQuery[] {
  const document = openOrReport(file, onProblem)
  return document === undefined ? [] : validLines(document, ownQuerySchema, onProblem)
}

/** Published names (`source:key`) of cards by what the cards say. */
type CardsByHash = ReadonlyMap<string, string>

/** @param cards - as read: cards that lost their examples to a split are other cards by their hash */
export function addHashes(names: Map<string, string>, cards: readonly Card[]): void {
  for (const [hash, { id, source }] of cardsByHash(cards))
    names.set(hash, `${source}:${id.slice(source.length + 1)}`)
}

/** @returns undefined unless all cards of the query are there, in one corpus */
export const placedOwnQuery = (
  { id, query, cards }: OwnQuery,
  names: CardsByHash,
  findCards: FindCards,
): PlacedQuery | undefined =>
  placedQuery({ id, query, relevant: cards.map((hash) => names.get(hash) ?? hash) }, ownQuerySet, findCards)
