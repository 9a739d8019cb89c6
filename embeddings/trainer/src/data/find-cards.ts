import { dirname, join } from 'node:path'
import { isJsonObject } from '../../../../src/domain/json.ts'
import { fileIn } from '../../../../src/evaluation/datasets/files.ts'
import type { TrainingCorpus } from './corpus.ts'
import { type OnProblem, openOrReport } from './record-lines.ts'

/** Where the cards that a published id stands for are: all in one corpus. */
type FoundCards = { readonly corpus: number; readonly ids: readonly string[] }

/** Finds cards by the id they are published under; undefined when there is none such. */
export type FindCards = (published: string) => FoundCards | undefined

/**
 * Finds cards of some corpora by their card id, by the id their publisher gave them, or by `source:id`. An id of the
 * publisher that two sources use finds nothing. Of a cluster of duplicates every member of the same corpus is found.
 *
 * @param clusters - lists of published ids that are the same thing
 */
export function cardFinder(
  corpora: readonly TrainingCorpus[],
  clusters: readonly (readonly string[])[],
): FindCards {
  const places = new Map<string, { readonly corpus: number; readonly id: string } | undefined>()
  for (const [corpus, { cards }] of corpora.entries()) {
    for (const { id, source } of cards) {
      const key = id.slice(source.length + 1)
      for (const name of new Set([id, `${source}:${key}`, key])) {
        places.set(name, places.has(name) ? undefined : { corpus, id })
      }
    }
  }
  const clusterOf = new Map(clusters.flatMap((list) => list.map((id) => [id, list] as const)))
  return (published) => {
    const place = places.get(published)
    if (place === undefined) return undefined
    const alike = (clusterOf.get(published) ?? []).flatMap((each) => places.get(each) ?? [])
    const ids = [place, ...alike].filter(({ corpus }) => corpus === place.corpus).map(({ id }) => id)
    return { corpus: place.corpus, ids: [...new Set(ids)] }
  }
}

/** Lists of agents that are the same thing, from `duplicates.json` beside catalogs of agents; none when there is none. */
export function readClusters(catalogFile: string, onProblem: OnProblem): readonly (readonly string[])[] {
  const file = fileIn(dirname(catalogFile), 'duplicates.json')
  const document = file === undefined ? undefined : openOrReport(file, onProblem)
  if (document === undefined) return []
  const json = document.json()
  if (!isJsonObject(json) || !Array.isArray(json.clusters)) {
    onProblem({
      severity: 'warning',
      file: join(document.label),
      field: 'clusters',
      message: 'there is no list of clusters, so that duplicates count as different agents',
      remedy: 'Write {"clusters": [["source:agent", "source:copy"], …]}.',
    })
    return []
  }
  return json.clusters.map((list) => (Array.isArray(list) ? list.map(String) : []))
}
