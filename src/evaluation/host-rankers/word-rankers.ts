import { isJsonObject } from '../../domain/json.ts'
import { foundOf, type HostRanker, plainWords, type SearchedTool } from './host-ranker.ts'

/** Saturation of a word that comes again, and how far long texts give way: the usual defaults for short texts. */
const k1 = 0.9
const b = 0.4

/**
 * Plain BM25 over one text a tool: its name, title, description, and the names and descriptions of its arguments. Words as they are, without
 * stems. `tool_search_tool_bm25` of the Claude API says that it reads the same fields; its own parameters are not published.
 *
 * @see Robertson & Zaragoza, Foundations and Trends in IR 3(4), 2009; the inverse document frequency with 1 within the logarithm, as in Lucene
 */
export const bm25: HostRanker = {
  name: 'bm25',
  title: 'BM25',
  over(tools) {
    const texts = tools.map((tool) => plainWords(textOf(tool)))
    const mean = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length)
    const postings = postingsOf(texts)
    return (query) => {
      const scores = texts.map(() => 0)
      for (const word of plainWords(query)) {
        const found = postings.get(word) ?? new Map<number, number>()
        const idf = Math.log(1 + (texts.length - found.size + 0.5) / (found.size + 0.5))
        for (const [index, count] of found) {
          const length = 1 - b + b * (texts[index]!.length / mean)
          scores[index] = scores[index]! + (idf * count * (k1 + 1)) / (count + k1 * length)
        }
      }
      return Promise.resolve(foundOf(scores))
    }
  },
}

/** How often a word comes in a text, by word and text. */
function postingsOf(texts: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const postings = new Map<string, Map<number, number>>()
  for (const [index, words] of texts.entries()) {
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>()
      postings.set(word, counts.set(index, (counts.get(index) ?? 0) + 1))
    }
  }
  return postings
}

function textOf({ name, title = '', description = '', inputSchema }: SearchedTool): string {
  const schema: unknown = inputSchema
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
  const ofArguments = Object.entries(properties).flatMap(([argument, property]) => [
    argument,
    isJsonObject(property) && typeof property.description === 'string' ? property.description : '',
  ])
  return [name, title, description, ...ofArguments].join('\n')
}

/**
 * `toolSearch()` of the AI SDK 7 without a search of one's own. Each different word of the query gives 2 where it is a word of the name, and
 * 1 where it is one of the description. Equal scores stand in the order of the list.
 *
 * @see The package `ai` 7.0.173, `src/tool-search/prepare-tool-search.ts`; `test/library/hosts/host-rankers.test.ts` asks it
 */
export const aiSdk: HostRanker = {
  name: 'ai-sdk',
  title: 'AI SDK 7',
  over(tools) {
    const read = tools.map(({ name, description = '' }) => ({
      name: new Set(plainWords(name)),
      description: new Set(plainWords(description)),
    }))
    return (query) => {
      const words = [...new Set(plainWords(query))]
      return Promise.resolve(
        foundOf(
          read.map(({ name, description }) =>
            words.reduce((sum, word) => sum + (name.has(word) ? 2 : 0) + (description.has(word) ? 1 : 0), 0),
          ),
        ),
      )
    }
  },
}
