import { join } from 'node:path'
import { dump } from 'js-yaml'
import { onTestFinished } from 'vitest'
import type { AgentCard, Card } from '../../../src/domain/card.ts'
import type { Runtime } from '../../../src/domain/runtime.ts'
import {
  defaultLimits,
  type Execution,
  type ExecutionLimits,
  type Executor,
} from '../../../src/probing/ports.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { type ModelServer, modelServer } from '../../fakes/model-server.ts'

/** A model server that goes when the test ends. */
export async function servedModel(...parameters: Parameters<typeof modelServer>): Promise<ModelServer> {
  const server = await modelServer(...parameters)
  onTestFinished(() => server.close())
  return server
}

/** A card whose runtime names this file. */
export const agentCard = (
  runtime: Extract<Runtime, { readonly file: string }>,
  overrides: Partial<AgentCard> = {},
): AgentCard => ({
  kind: 'agent',
  agentKind: 'profile',
  id: 'test/subject',
  source: 'test',
  name: 'subject',
  description: 'A subject',
  examples: [],
  tags: [],
  backbone: null,
  tools: [],
  policy: {},
  provenance: { reader: 'profile-yaml', location: runtime.file },
  runtime,
  ...overrides,
})

/** A profile with these fields in a folder of its own, and its card. */
export function profileCard(
  fields: object,
  kind: 'profile' | 'openai-chat' = 'profile',
): { readonly card: AgentCard; readonly file: string } {
  const profile = { profile: 'audition/v1', name: 'subject', description: 'A subject', ...fields }
  const folder = folderWith({ 'subject.yaml': dump(profile) })
  const file = join(folder, 'subject.yaml')
  const backbone = 'backbone' in fields ? { name: 'named' } : null
  return { card: agentCard({ kind, file }, { backbone }), file }
}

/** A card of another sort than any that runs on a model. */
export const foreignCard: Card = {
  kind: 'tool',
  id: 'a/b',
  source: 'a',
  name: 'b',
  description: '',
  examples: [],
  tags: [],
  parameters: [],
  runtime: { kind: 'mcp', transport: 'stdio', config: '/a.json', server: 's', display: 'node' },
  provenance: { reader: 'mcp', location: '/a.json' },
}

/** Runs a card with time to spare, unless the test says otherwise. */
export const runCard = (
  executor: Executor,
  card: Card,
  limits: Partial<ExecutionLimits> = {},
  text = 'Do it.',
): Promise<Execution> =>
  executor.execute(
    card,
    { text },
    {
      limits: { ...defaultLimits, ...limits },
      signal: new AbortController().signal,
    },
  )

/** The transcript as lines, without times. */
export const linesOf = ({ transcript }: Execution): string[] =>
  transcript.map((event) =>
    event.kind === 'tool-call'
      ? `call ${event.tool} ${JSON.stringify(event.arguments)}`
      : event.kind === 'tool-result'
        ? `${event.failed ? 'failure' : 'result'} ${event.tool}: ${event.text}`
        : `${event.kind}: ${event.text}`,
  )
