import type { McpServerEntry } from '../domain/runtime.ts'

const runners = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx', 'bun'])

/** How Claude Code names the server of our plugin. */
export const pluginEntryName = 'plugin_audition_audition'

/**
 * Whether an entry starts Audition itself: as the command `audition`, through a package runner, or as the package's main
 * file. It is never harvested: Audition would find its own search tools, and start itself again.
 */
export function isOwnEntry(entry: McpServerEntry): boolean {
  const { name, launch } = entry
  if (launch.transport !== 'stdio') return false
  if (programName(launch.command) === 'audition' || isFetched(entry)) return true
  return [launch.command, ...launch.args].some(
    (word) =>
      (/[\\/]audition-mcp[\\/]/.test(word) && /cli[\\/]main\.[jt]s$/.test(word)) ||
      ((name === 'audition' || name === pluginEntryName) && mainFile.test(word)),
  )
}

/**
 * Whether an entry has a package runner fetch Audition by its name: it runs whatever somebody published under that name.
 * A version does not help as long as nobody published one.
 */
export function isFetched({ launch }: McpServerEntry): boolean {
  if (launch.transport !== 'stdio') return false
  const words = [launch.command, ...launch.args]
  return (
    words.some((word) => runners.has(programName(word))) &&
    words.some((word) => /^(?:--package=)?audition-mcp(?:@.*)?$/.test(word))
  )
}

const mainFile = /(?:^|[\\/])cli[\\/]main\.[jt]s$/

/** `npx` of `C:\nodejs\npx.cmd`. */
const programName = (word: string): string =>
  word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .replace(/\.(?:cmd|exe|bat|ps1)$/i, '')
    .toLowerCase()
