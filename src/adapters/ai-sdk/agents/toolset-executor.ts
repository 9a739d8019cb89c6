import type { ToolCard } from '../../../domain/card.ts'
import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import type { Executor, Task } from '../../../probing/ports.ts'
import { remoteHost } from '../../../probing/run/bounded-fetch.ts'
import { configuredAgent, type ModelSurroundings } from './configured-agent.ts'
import { executeModelAgent } from './model-agent.ts'

/** What a model is given for one task. */
export type Toolset = {
  readonly tools: readonly ToolCard[]
  call(
    tool: ToolCard,
    args: JsonObject,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly failed: boolean }>
}

const instructions =
  'Do what you are asked. Use the tools that you have where they help, and say so where the task cannot be done. Answer with the result alone.'

/**
 * Runs the configured model on a task with whatever tools that task is to be done with, in a bounded loop. The card stands for the way
 * in which tools are chosen.
 *
 * @param toolsetFor - asked anew for each run
 */
export function toolsetExecutor(
  options: ModelSurroundings,
  toolsetFor: (card: string, task: Task) => Promise<Toolset>,
): Executor {
  const agentFor = (id: string) =>
    configuredAgent(
      { id, backbone: null, instructions, policy: {}, wanted: { servers: [], unattached: [] }, notes: [] },
      options,
    )
  return {
    name: 'toolset',
    accepts: () => true,
    async plan({ id }) {
      const { spec, url } = agentFor(id)
      return { permit: `chat:${url.origin}`, needs: [], display: spec, host: remoteHost(url) }
    },
    async execute(card, task, run) {
      const { tools, call } = await toolsetFor(card.id, task)
      const offered = tools.map((tool) => ({
        server: tool.server ?? tool.source,
        tool: listed(tool),
        call: (args: JsonObject) => call(tool, args, run.signal),
      }))
      return executeModelAgent({ ...agentFor(card.id).agent, offered }, task, run)
    },
  }
}

const listed = ({ name, description, inputSchema }: ToolCard): JsonObject => ({
  name,
  description,
  inputSchema: (inputSchema ?? { type: 'object' }) as JsonValue,
})
