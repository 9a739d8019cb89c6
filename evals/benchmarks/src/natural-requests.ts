import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { contentHash } from '../../../src/catalog/identity.ts'
import type { Card } from '../../../src/domain/card.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { countOf } from '../../../src/domain/text/count-of.ts'
import {
  assembled,
  DatasetError,
  type DatasetRecipe,
  wantedNames,
} from '../../../src/evaluation/datasets/dataset.ts'
import { fingerprintOf, jsonLinesOf } from '../../../src/evaluation/datasets/files.ts'
import { nearest } from './nearest.ts'
import { readToolretTools, toolretSetNames } from './toolret/toolret-folders.ts'
import { leftOut, toolretQueries } from './toolret/toolret-records.ts'

const committed = nearest(import.meta.url, join('evals', 'natural', 'queries.jsonl'))

/**
 * The requests as they are written down: `id`, `catalog` (the set asked), `query`, and `needs`, one list per thing that
 * is needed of the cards that serve it, by {@link contentHash}. None where the package was installed without the
 * repository: they are not published with it.
 *
 * @throws DatasetError when a line is damaged
 */
export const naturalRecords = (file: string = committed): readonly JsonObject[] =>
  existsSync(file) ? jsonLinesOf(file) : []

/** Cards by what they say: a file that names them so holds no text of theirs. */
export const cardsByHash = (cards: readonly Card[]): ReadonlyMap<string, Card> =>
  new Map(cards.map((card) => [contentHash(card), card]))

/** Requests of a file, over those sets of a folder in the shape of ToolRet that they were written for: each is a part. */
export const naturalRequestsOf = (file: string): DatasetRecipe => ({
  name: 'natural-requests',
  describes: 'Requests that share few words with the tools they need, over published tool sets',
  recognises(path) {
    const { names } = toolretSetNames(path)
    return names.length > 0 && setsOf(naturalRecords(file)).some((name) => names.includes(name))
  },
  async read(path, only) {
    const records = naturalRecords(file)
    if (records.length === 0) {
      throw new DatasetError(
        `${file}: the requests are not here; they come with the repository alone.`,
        'Clone the repository of Audition, and evaluate there.',
      )
    }
    const { root, names } = toolretSetNames(path)
    const sets = setsOf(records)
    const present = sets.filter((name) => names.includes(name))
    const absent = sets.filter((name) => !names.includes(name))
    const wanted = wantedNames('natural-requests', present, only)
    const read = wanted.map((name) => {
      const cards = readToolretTools(root, name)
      const asked = records.filter(({ catalog }) => catalog === name)
      return { name, cards, ...judgedOver(cards, asked) }
    })
    return assembled(
      {
        name: 'natural-requests',
        origin: `natural requests, ${countOf(wanted.length, 'set')} (sha256 ${fingerprintOf([file])})`,
        parts: read.map(({ name, cards, queries }) => ({ name, kind: 'tool', cards, queries })),
        headline: ['ndcg@10', 'completeness@10', 'recall@10', 'mrr@10'],
        notes: [
          'Every tool that serves a need is relevant, all alike: nDCG and recall ask for all of them, completeness for one per need.',
          ...leftOut(read),
          ...(absent.length === 0 ? [] : [`Sets that are not here are left out: ${absent.join(', ')}.`]),
        ],
      },
      path,
    )
  },
})

/** Requests as people make them, written for this project, which share few words with the tools that they need. */
export const naturalRequests: DatasetRecipe = naturalRequestsOf(committed)

const setsOf = (records: readonly JsonObject[]): readonly string[] => [
  ...new Set(records.map(({ catalog }) => String(catalog)).sort()),
]

/** The requests as queries of ToolRet, whose labels are the members of all needs. */
function judgedOver(cards: readonly Card[], records: readonly JsonObject[]) {
  const byHash = cardsByHash(cards)
  const asToolret = records.map(({ id = null, query = null, needs = [] }): JsonObject => {
    const members = new Set((needs as readonly (readonly string[])[]).flat())
    const labels = [...members].map((hash) => ({ id: hash, relevance: 1 }))
    return { id, query, labels, alternatives: needs }
  })
  return toolretQueries(asToolret, (hash) => byHash.get(hash)?.id)
}
