import { functionWords } from '../../retrieval/text/analyze.ts'
import type { HostRanker } from '../host-rankers/host-ranker.ts'
import type { ToolPlace, RankedList } from './places.ts'

/** A tool that stands first in place of the one that a request is for. */
export type Confusion = {
  /** By its place in the list of one's own. */
  readonly tool: number
  /** By its place in the whole list. */
  readonly rival: number
  /** The different requests for which it is so, by any ranker. */
  readonly requests: readonly string[]
  /** Names of the rankers. */
  readonly hosts: readonly string[]
  /** Without one of these the tool would stand before its rival; those that do so most often first, and small words only where no other does. */
  readonly words: readonly string[]
}

const mostPairs = 10
const mostWords = 5
/** Requests of a pair that are asked without each of their words. */
const mostTried = 3

/** What is confused, the first ten pairs: those of two tools of the list first, which one author can mend, then by the number of requests. */
export async function confusionsOf(
  byRanker: readonly { readonly ranker: HostRanker; readonly places: readonly ToolPlace[] }[],
  list: RankedList,
): Promise<readonly Confusion[]> {
  const pairs = new Map<string, Case[]>()
  for (const { ranker, places } of byRanker)
    for (const place of places) {
      const [rival] = place.ahead
      if (rival === undefined) continue
      const key = `${place.tool} ${rival}`
      pairs.set(key, [...(pairs.get(key) ?? []), { ranker, place, rival }])
    }
  const counted = [...pairs.values()].map((cases) => ({
    cases,
    isOwn: cases[0]!.rival >= list.others,
    requests: [...new Set(cases.map(({ place }) => place.request.text))],
  }))
  counted.sort(
    (a, b) =>
      Number(b.isOwn) - Number(a.isOwn) ||
      b.requests.length - a.requests.length ||
      b.cases.length - a.cases.length,
  )
  const searches = new Map(byRanker.map(({ ranker }) => [ranker, ranker.over(list.all)]))
  return Promise.all(
    counted.slice(0, mostPairs).map(async ({ cases, requests }) => ({
      tool: cases[0]!.place.tool,
      rival: cases[0]!.rival,
      requests,
      hosts: [...new Set(cases.map(({ ranker }) => ranker.name))],
      words: await causesOf(cases, async ({ ranker }, text) => searches.get(ranker)!(text), list.others),
    })),
  )
}

type Case = { readonly ranker: HostRanker; readonly place: ToolPlace; readonly rival: number }
type Ask = (asked: Case, text: string) => Promise<readonly { readonly index: number }[]>

/** The words without which the tool stands before its rival, by asking without each. */
async function causesOf(cases: readonly Case[], ask: Ask, others: number): Promise<readonly string[]> {
  const counts = new Map<string, number>()
  const tried = new Set(cases.map(({ place }) => place.request.text).slice(0, mostTried))
  for (const one of cases.filter(({ place }) => tried.has(place.request.text))) {
    const words = one.place.request.text.split(/\s+/)
    for (const [at, word] of words.length < 2 ? [] : words.entries()) {
      const found = await ask(one, words.filter((_, index) => index !== at).join(' '))
      const stands = found.find(({ index }) => index === one.rival || index === others + one.place.tool)
      if (stands?.index !== others + one.place.tool) continue
      const bare = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/u.exec(word.toLowerCase())?.[0] ?? ''
      counts.set(bare, (counts.get(bare) ?? 0) + 1)
    }
  }
  const telling = [...counts].filter(([word]) => !functionWords.has(word))
  return (telling.length > 0 ? telling : [...counts])
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, mostWords)
    .map(([word]) => word)
}
