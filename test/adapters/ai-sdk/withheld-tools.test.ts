import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { expect, test } from 'vitest'
import { profileRuntime } from '../../../src/adapters/ai-sdk/agents/runtimes.ts'
import type { McpServerEntry } from '../../../src/catalog/ports.ts'
import { type PinnedCatalog, launchFacts } from '../../../src/trust/review/known-servers.ts'
import { emptyReview } from '../../../src/store/source-review.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import { RuntimeError } from '../../../src/probing/ports.ts'
import { memoryPins } from '../../fakes/memory-pins.ts'
import { newMark, processesWith } from '../command/agents.ts'
import { serverProgram, toolCard } from '../mcp-client/tools.ts'
import { linesOf, profileCard, runCard, servedModel } from './agents.ts'

const settings = { catalogFolder: '/opt/audition/catalog', version: '0.0.0', environment: process.env }

/** A server that offers the tool `work`, and what the catalog has of it. */
function subject(work: Partial<ToolCard> = {}) {
  const mark = newMark()
  const launch = { command: process.execPath, args: [serverProgram, 'echo', mark] }
  const entry: McpServerEntry = {
    name: 'my-subject',
    config: '/a/.mcp.json',
    disabled: false,
    launch: { transport: 'stdio', env: {}, ...launch },
  }
  const pinned = memoryPins({
    sources: [
      {
        id: 'my-subject',
        location: '/a/.mcp.json#my-subject',
        reader: 'mcp-server',
        indexedAt: null,
        tools: 1,
        agents: 1,
        problems: [],
        trust: 'untrusted',
      },
    ],
    reviews: [
      { ...emptyReview('my-subject'), server: { launch: launchFacts(entry, false), name: 'subject' } },
    ],
    cards: [toolCard('/a/.mcp.json', { id: 'my-subject/work', source: 'my-subject', ...work })],
  })
  const { card } = profileCard({ backbone: { name: 'named' }, servers: { subject: launch } })
  return { pinned, card, mark, launch }
}

async function ran(card: ReturnType<typeof subject>['card'], pinned: PinnedCatalog) {
  const model = await servedModel([{ text: 'ok' }])
  const languageModel = { spec: model.spec('openai-compatible') }
  const execution = await runCard(executorOf(profileRuntime, { ...settings, languageModel, pinned }), card)
  return { execution, tools: model.requests[0]?.body.tools }
}

test('a tool that is as it was indexed goes to the model, without a word', async () => {
  const { card, pinned } = subject()
  const { execution, tools } = await ran(card, pinned)
  expect(tools).toMatchObject([{ function: { name: 'work', description: 'Works on a text' } }])
  expect(execution.transcript.filter(({ kind }) => kind === 'tool-withheld')).toEqual([])
})

test('one that says something else does not, and the run says so with the way to see it', async () => {
  const { card, pinned } = subject({ description: 'Worked on a text' })
  const { execution, tools } = await ran(card, pinned)
  expect(tools).toBeUndefined()
  expect(execution).toMatchObject({ ending: 'answered', answer: 'ok' })
  expect(execution.transcript).toContainEqual(
    expect.objectContaining({
      kind: 'tool-withheld',
      tool: 'work',
      because: 'changed',
      source: 'my-subject',
      text:
        'tool "work" is withheld from the model: it changed since "my-subject" was indexed. ' +
        'To see the difference: `audition index --refresh`, then `audition sources show my-subject`',
    }),
  )
})

test('what the agent does not want of a server is not spoken of', async () => {
  const { pinned, launch } = subject({ description: 'Worked on a text' })
  const { card } = profileCard({
    backbone: { name: 'named' },
    servers: { subject: { ...launch, tools: ['rest'] } },
  })
  const { execution, tools } = await ran(card, pinned)
  expect(tools).toBeUndefined()
  expect(linesOf(execution)).toContain('status: tools not attached: rest')
  expect(linesOf(execution).join('\n')).not.toContain('withheld')
})

test('without a catalog to compare with nothing runs, and nothing is left running', async () => {
  const { card, mark } = subject()
  const broken: PinnedCatalog = {
    ...memoryPins(),
    sources: () => Promise.reject(new Error('the store is damaged')),
  }
  const error = await ran(card, broken).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RuntimeError)
  expect((error as RuntimeError).message).toContain(
    'cannot be compared with the catalog: the store is damaged',
  )
  expect((error as RuntimeError).remedy).toContain('audition doctor')
  expect(processesWith(mark)).toEqual([])
})
