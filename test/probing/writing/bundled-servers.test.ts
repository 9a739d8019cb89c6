import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { answerKeysIn } from '../../../src/compose/parts/known-answers.ts'
import type { JsonValue } from '../../../src/domain/json.ts'
import { cardsOfServers } from '../../../src/evaluation/datasets/bundled-tools.ts'
import { referenceJudge } from '../../../src/probing/judges/reference-judge.ts'
import { tasksOfCard } from '../../../src/probing/writing/tasks-of-card.ts'
import {
  buildCatalog,
  connectTo,
  root,
  type ServerName,
  serverFiles,
} from '../../catalog-bundled/built-catalog.ts'
import { answered } from '../judges/executions.ts'

const catalog = buildCatalog()
afterAll(() => catalog.remove())
const cards = cardsOfServers(resolve(root, 'catalog'), resolve(root, 'evals/bundled/tools.jsonl'))

test.each(Object.keys(serverFiles) as ServerName[])(
  'every tool of %s, as a process, gives the known answers',
  async (server) => {
    // As the product finds them: compiled, beside the servers.
    const answers = await answerKeysIn(catalog.folder)
    const client = await connectTo(catalog.folder, server)
    try {
      const tools = cards.filter((card) => card.kind === 'tool' && card.server === server)
      expect(tools.length).toBeGreaterThan(10)
      for (const card of tools) {
        for (const task of tasksOfCard(card, 2, { answers })) {
          const reply = await client.callTool({ name: card.name, arguments: { ...task.arguments } })
          const [content] = reply.content
          const text = content?.type === 'text' ? content.text : ''
          const verdict = await referenceJudge().judge(
            task,
            answered(text, reply.structuredContent as JsonValue),
          )
          expect(verdict, task.text).toMatchObject({ grade: 5, judge: 'reference' })
        }
      }
    } finally {
      await client.close()
    }
  },
)
