import { analyzeQuery } from '../../../src/retrieval/text/analyze.ts'
import type { CardIndex } from '../../../src/retrieval/index/card-index.ts'

/**
 * Cards that share a query's words but do not serve it: the best by BM25.
 *
 * @param count - at most
 * @param textOf - number of a card's text; undefined for one that serves
 */
export function hardNegatives(
  index: CardIndex,
  text: string,
  count: number,
  textOf: (id: string) => number | undefined,
): readonly number[] {
  if (count === 0) return []
  const { documents } = index.search(analyzeQuery(text), count + 10, null)
  const found = Array.from(documents, (document) => textOf(index.ids.at(document)))
  return found.filter((number) => number !== undefined).slice(0, count)
}
