import { type ServerForHost, serverToHire } from '../catalog/server-block.ts'
import type { ToolCard } from '../domain/card.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { claudeCode } from '../hosts/known/claude-code.ts'
import { isOwnEntry } from '../hosts/own-entry.ts'
import { serversAt } from '../hosts/servers-at.ts'
import type { HostUser } from '../hosts/surroundings.ts'

/**
 * The server of a tool as a profile holds it, in the shape of `mcpServers`: as its configuration names it now, secrets as references.
 *
 * @throws RemedyError when it is switched off, is Audition itself, or would not start from a profile
 */
export function serverOfTool(tool: ToolCard, user: HostUser): ServerForHost {
  const { runtime } = tool
  if (runtime?.kind !== 'mcp')
    throw new RemedyError(`"${tool.id}" is of no MCP server.`, 'Index the server that has it.')
  const found = serversAt(runtime.config, user).find(({ name }) => name === runtime.server)
  if (found?.disabled === true)
    throw new RemedyError(
      `the server "${tool.source}" is switched off.`,
      `Enable it in ${found.disabledIn ?? found.config}.`,
    )
  if (found !== undefined && isOwnEntry(found))
    throw new RemedyError(`the server "${tool.source}" is Audition itself.`, 'Index other servers.')
  return serverToHire(tool, claudeCode, user)
}
