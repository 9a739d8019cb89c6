import { type SimulatedServer, listedTool } from '../../simulating/ports.ts'
import { callResultOf } from './call-result.ts'
import type { ServerSession } from './server-session.ts'

/** A session with a simulated server, in this process. */
export function simulatedSession(simulated: SimulatedServer): ServerSession {
  const session = simulated.session()
  const tools = simulated.tools.map(listedTool)
  const server = { name: `${simulated.source} (simulated)`, version: '' }
  const harvest = { server, tools }
  return {
    server,
    tools,
    harvest,
    isProcess: false,
    async call(name, args, { signal }) {
      const { content, structured, failed } = await session.call(name, args, { signal })
      return callResultOf({ content: [...content], structuredContent: structured, isError: failed })
    },
    async result(name, args, { signal, onProgress }) {
      const { content, structured, failed } = await session.call(name, args, { signal, onProgress })
      return { content, failed, excuse: null, ...(structured === undefined ? {} : { structured }) }
    },
    relist: async () => ({ tools, harvest }),
    answers: async () => true,
    isGone: () => false,
    hasChanged: () => false,
    log: () => '',
    close: async () => {},
  }
}
