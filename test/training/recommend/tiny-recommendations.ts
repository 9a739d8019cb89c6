import type { AgentCard } from '../../../src/domain/card.ts'
import { folderWith, query, tool } from '../data/folders.ts'

/** What requests speak of; each has two tools of its own, and models that are good at it. */
const topics = [
  ['weather', 'get_forecast', 'get_storm_warnings', 'tomorrow in'],
  ['flights', 'search_flights', 'book_flight', 'a seat to'],
  ['invoices', 'create_invoice', 'send_invoice', 'money owed by'],
  ['songs', 'find_song', 'play_song', 'music from'],
  ['recipes', 'find_recipe', 'list_ingredients', 'dinner as in'],
  ['trains', 'train_times', 'buy_ticket', 'the next train to'],
] as const
const cities = [
  'Oslo',
  'Rome',
  'Lima',
  'Cairo',
  'Perth',
  'Quito',
  'Delhi',
  'Turin',
  'Bergen',
  'Leeds',
  'Kyoto',
  'Sofia',
]

/** A new folder with outcomes of three models, and two sets of tools with labelled queries. */
export const tinySources = (): string =>
  folderWith({
    'outcomes.jsonl': topics.flatMap(([topic, , , words], place) =>
      cities.map((city, at) => ({
        query: `Explain ${topic}: ${words} ${city}`,
        scores:
          at === 0
            ? { small: 0, middle: 0, large: 0 }
            : { small: place < 3 ? 0.9 : 0, middle: 0.5, large: 1 },
      })),
    ),
    'models.jsonl': [{ model: 'small', description: 'A small model for weather, flights and invoices.' }],
    ...Object.fromEntries(
      ['sets/left', 'sets/right'].flatMap((set, half) => {
        const own = topics.filter((_, place) => place % 2 === half)
        return [
          [
            `${set}/tools.jsonl`,
            own.flatMap(([topic, one, two]) => [
              tool(one, `Looks after ${topic}.`),
              tool(two, `Acts on ${topic}.`),
            ]),
          ],
          [
            `${set}/queries.jsonl`,
            own.flatMap(([topic, one, two, words]) =>
              cities.map((city, at) =>
                query(
                  `${one}-${at}`,
                  `${topic} please, ${words} ${city}`,
                  at % 3 === 0 ? [one] : at % 3 === 1 ? [two] : [two, one],
                ),
              ),
            ),
          ],
        ]
      }),
    ),
  })

/** An agent of a model, tools, or both. */
export const agentOf = (id: string, tools: readonly string[], model: string | null = null): AgentCard => ({
  kind: 'agent',
  agentKind: 'profile',
  id,
  source: 'tiny',
  name: id,
  description: '',
  examples: [],
  tags: [],
  backbone: model === null ? null : { name: model },
  tools: tools.map((name) => ({ name, description: `Does ${name}.` })),
  policy: {},
  provenance: { reader: 'test', location: 'test' },
})

/** Two circles of tasks, each served by its own agents; the last task of each lacks one agent of its circle. */
export const twoCircles = [
  [0, 1, 2],
  [0, 1, 2],
  [0, 1],
  [3, 4, 5],
  [3, 4, 5],
  [4, 5],
]
