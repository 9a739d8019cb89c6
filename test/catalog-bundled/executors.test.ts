import { executorOf } from '../../src/probing/runtime-kind.ts'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { demoPairs, states } from '../../catalog/demo/pairs.ts'
import { commandRuntime } from '../../src/adapters/command/command-runtime.ts'
import { mcpHarvester } from '../../src/adapters/mcp-client/mcp-harvester.ts'
import { mcpRuntime } from '../../src/adapters/mcp-client/mcp-runtime.ts'
import { indexSources } from '../../src/indexing/index-sources.ts'
import type { CatalogWriter } from '../../src/store/catalog-writer.ts'
import type { Card } from '../../src/domain/card.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { defaultLimits, type Execution, type Executor, type Task } from '../../src/probing/ports.ts'
import { buildCatalog, root, type ServerName } from './built-catalog.ts'
import { knownAnswers } from './known-answers.ts'

const catalog = buildCatalog()
afterAll(() => catalog.remove())

const options = { catalogFolder: catalog.folder, environment: process.env, version: '0.0.0' }

/** The cards of a location of the bundled catalog, as `audition index` makes them. */
async function cardsAt(location: string): Promise<readonly Card[]> {
  const put: Card[] = []
  const writer: CatalogWriter = {
    isCurrent: async () => true,
    sources: async () => [],
    hashes: async () => new Map(),
    ids: async () => [],
    cards: async () => [],
    reviews: async () => [],
    commit: async (change) => void put.push(...change.put),
    close: async () => {},
  }
  const surroundings = {
    harvester: mcpHarvester(options),
    fetchDocument: () => Promise.reject(new Error('no network here')),
    label: (path: string) => path,
  }
  await indexSources(writer, surroundings, { locations: [location] })
  return put
}

const run = (executor: Executor, card: Card, task: Task): Promise<Execution> =>
  executor.execute(card, task, { limits: defaultLimits, signal: new AbortController().signal })

describe('the bundled catalog can be run as it is indexed', () => {
  test('a demo agent of each pair answers its first case', async () => {
    const cards = await cardsAt(join(root, 'catalog', 'demo', 'profiles'))
    const executor = executorOf(commandRuntime, options)
    for (const { sound, cases } of demoPairs) {
      const card = cards.find(({ name }) => name === sound)!
      expect(executor.accepts(card)).toBe(true)
      expect((await executor.plan(card)).permit).toMatch(
        new RegExp(`^command:/\\S*node ${catalog.folder}/demo/agents/${sound}\\.js$`),
      )
      const { task: text, expected } = cases[0]!
      const execution = await run(executor, card, { text })
      expect(execution.ending).toBe('answered')
      expect(states(execution.answer, expected)).toBe(true)
    }
  })

  test.each(Object.keys(knownAnswers) as ServerName[])(
    'a tool of %s gives its known answer',
    async (server) => {
      const cards = await cardsAt(`${join(root, 'catalog', 'mcp.json')}#${server}`)
      const executor = executorOf(mcpRuntime, options)
      const { tool, input, answer } = knownAnswers[server][0]!
      const card = cards.find((one) => one.kind === 'tool' && one.name === tool)!
      expect(executor.accepts(card)).toBe(true)
      const task = { text: 'Work it out', arguments: input as JsonObject }
      expect(await run(executor, card, task)).toMatchObject({ ending: 'answered', structured: answer })
    },
  )
})
