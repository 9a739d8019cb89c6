import { analyze } from '../../../../../src/retrieval/text/analyze.ts'
import type { SparseRow } from './sparse-rows.ts'

/** Terms that are counted, and how much each tells. */
export type Terms = { readonly terms: readonly string[]; readonly idf: readonly number[] }

/** The commonest terms of some texts, with smoothed inverse document frequencies; equally common ones in code unit order. */
export function fitTerms(texts: readonly string[], most: number): Terms {
  const counts = new Map<string, { all: number; texts: number }>()
  for (const text of texts) {
    const own = countsOf(text)
    for (const [term, count] of own) {
      const known = counts.get(term) ?? { all: 0, texts: 0 }
      counts.set(term, { all: known.all + count, texts: known.texts + 1 })
    }
  }
  const kept = [...counts].sort(([a, x], [b, y]) => y.all - x.all || (a < b ? -1 : 1)).slice(0, most)
  return {
    terms: kept.map(([term]) => term),
    idf: kept.map(([, count]) => Math.log((1 + texts.length) / (1 + count.texts)) + 1),
  }
}

/** Weighs texts by these terms; a row has length 1, or is empty. */
export function termWeigher({ terms, idf }: Terms): (text: string) => SparseRow {
  const placeOf = new Map(terms.map((term, place) => [term, place]))
  return (text) => {
    const row = [...countsOf(text)].flatMap(([term, count]): [number, number][] => {
      const place = placeOf.get(term)
      return place === undefined ? [] : [[place, (1 + Math.log(count)) * idf[place]!]]
    })
    const length = Math.sqrt(row.reduce((sum, [, value]) => sum + value * value, 0))
    return row.map(([place, value]) => [place, value / length])
  }
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of analyze(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
