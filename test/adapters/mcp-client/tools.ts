import { executorOf } from '../../../src/probing/runtime-kind.ts'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mcpRuntime } from '../../../src/adapters/mcp-client/mcp-runtime.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import {
  defaultLimits,
  type Execution,
  type ExecutionLimits,
  type Task,
  type TranscriptEvent,
} from '../../../src/probing/ports.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'
import { newMark } from '../command/agents.ts'

/** The server that behaves in one way or another. */
export const serverProgram = fileURLToPath(
  new URL('../../../bench/misbehaving/programs/server.mjs', import.meta.url),
)

export const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1 } },
  required: ['text'],
  additionalProperties: false,
}

/** A card of the tool `work` of the server `subject` in a configuration. */
export const toolCard = (config: string, overrides: Partial<ToolCard> = {}): ToolCard => ({
  kind: 'tool',
  id: 'subject/work',
  source: 'subject',
  name: 'work',
  description: 'Works on a text',
  examples: [],
  tags: [],
  parameters: [],
  inputSchema,
  provenance: { reader: 'mcp-server', location: `${config}#subject` },
  runtime: { kind: 'mcp', transport: 'stdio', config, server: 'subject', display: 'node server.mjs' },
  ...overrides,
})

/** A configuration in a folder of its own with this entry, and the card of its tool. */
export function configured(entry: object, overrides: Partial<ToolCard> = {}): ToolCard {
  const folder = folderWith({ '.mcp.json': JSON.stringify({ mcpServers: { subject: entry } }) })
  return toolCard(join(folder, '.mcp.json'), overrides)
}

/** A configured server of a behaviour, and the card of its tool. */
export function serverOf(
  behaviour: string,
  entry: object = {},
): { readonly card: ToolCard; readonly mark: string } {
  const mark = newMark()
  const args = [serverProgram, behaviour, mark]
  return { card: configured({ command: process.execPath, args, ...entry }), mark }
}

export const task: Task = { text: 'Work on it', arguments: { text: 'hay' } }

export const toolExecutor = (environment: { readonly [name: string]: string | undefined } = process.env) =>
  executorOf(mcpRuntime, { catalogFolder: '/opt/audition/catalog', environment, version: '0.0.0' })

/** Runs a card with time to spare, unless the test says otherwise. */
export const runTool = (
  card: ToolCard,
  options: {
    readonly task?: Task
    readonly limits?: Partial<ExecutionLimits>
    readonly environment?: { readonly [name: string]: string | undefined }
    readonly onEvent?: (event: TranscriptEvent) => void
  } = {},
): Promise<Execution> =>
  toolExecutor(options.environment).execute(card, options.task ?? task, {
    limits: { ...defaultLimits, ...options.limits },
    signal: new AbortController().signal,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  })
