import { boundsOf } from '../../domain/bounds.ts'
import { HarvestError, type McpHarvester } from '../../catalog/ports.ts'
import { httpGuard } from '../http/guarded-fetch.ts'
import { defaultContainment } from '../processes/sandbox/sandbox.ts'
import {
  connectServer,
  defaultServerLimits,
  harvestOf,
  type ServerLimits,
  type ServerSettings,
} from './connect-server.ts'
import { expandLaunch, fromTheNetwork } from './expand-environment.ts'

/** How MCP servers are asked. */
export type McpHarvesterOptions = ServerSettings & {
  /**
   * Milliseconds one server has for start, handshake and all pages together. Integer 1..2^31-1.
   * @defaultValue 30000
   */
  readonly timeoutMs?: number
  /** What one server may send. @defaultValue 10,000 tools, 1,000 pages, 64 MiB */
  readonly limits?: Partial<ServerLimits>
}

/**
 * Asks MCP servers for their tools, over stdio, streamable HTTP or SSE.
 *
 * When the caller's signal aborts, the harvest rejects with the signal's reason. In every case the server's process
 * and all that it started are gone when the promise settles.
 */
export function mcpHarvester(options: McpHarvesterOptions): McpHarvester {
  const { environment, version, catalogFolder, guard = httpGuard() } = options
  const { containment = defaultContainment } = options
  const send = guard.fetch('user')
  return {
    async harvest(entry, signal) {
      signal.throwIfAborted()
      if (entry.disabled) {
        throw new HarvestError(
          `MCP server "${entry.name}" is switched off`,
          `Enable it in ${entry.disabledIn ?? entry.config}.`,
        )
      }
      if (/^https?:/i.test(entry.config)) throw fromTheNetwork(entry)
      const expanded = expandLaunch(entry, environment, catalogFolder)
      const limits = { ...defaultServerLimits, ...options.limits }
      const seconds = (options.timeoutMs ?? 30_000) / 1_000
      const bounds = boundsOf({ callers: [signal], seconds, bytes: limits.bytes })
      try {
        const request = { entry, expanded, environment, version, limits, bounds, send, containment }
        const connection = await connectServer(request)
        await connection.transport.close()
        return harvestOf(entry, connection)
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        bounds.release()
      }
    },
  }
}
