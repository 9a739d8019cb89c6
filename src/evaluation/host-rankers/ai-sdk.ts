import { foundOf, type HostRanker, plainWords } from './host-ranker.ts'

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
