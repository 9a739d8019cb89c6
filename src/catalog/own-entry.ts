import type { McpServerEntry } from './ports.ts'

const runners = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx', 'bun'])

/**
 * Whether an entry starts Audition itself: as the command `audition`, through `npx audition-mcp` or its like, or as
 * the package's main file. It is never harvested: Audition would find its own search tools, and start itself again.
 */
export function isOwnEntry({ name, launch }: McpServerEntry): boolean {
  if (launch.transport !== 'stdio') return false
  const words = [launch.command, ...launch.args]
  const programs = words.map(programName)
  if (programs[0] === 'audition') return true
  const isRun = programs.some((program) => runners.has(program))
  if (isRun && words.some((word) => /^(?:--package=)?audition-mcp(?:@.*)?$/.test(word))) return true
  return words.some(
    (word) =>
      /[\\/]audition-mcp[\\/].*[\\/]?cli[\\/]main\.[jt]s$/.test(word) ||
      (name === 'audition' && /(?:^|[\\/])cli[\\/]main\.[jt]s$/.test(word)),
  )
}

/** `npx` of `C:\nodejs\npx.cmd`. */
const programName = (word: string): string =>
  word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .replace(/\.(?:cmd|exe|bat|ps1)$/i, '')
    .toLowerCase()
