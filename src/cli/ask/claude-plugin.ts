import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { shellWord } from '../../domain/text/shell-word.ts'
import type { HostLaunch } from '../../hosts/host.ts'
import { packageRoot } from '../../package-root.ts'
import type { Context } from '../context.ts'
import { type blockOf, isShortLived, ownFolder, ownLaunch } from './host-launch.ts'

/** The plugin as it lies in the package. There it works in place, with the Node.js of the shell. */
const template = join(packageRoot, 'plugins', 'claude-code')

/** How it names the main file of Audition. */
const mainInPlace = '$' + '{CLAUDE_PLUGIN_ROOT}/../../dist/cli/main.js'

/**
 * Writes the plugin for Claude Code with the paths of this installation, and says what installs it. Claude Code copies a
 * plugin that it installs, so it must not name anything by where it lies itself.
 *
 * @param server - the block that makes the host start Audition
 */
export async function writeClaudePlugin(server: ReturnType<typeof blockOf>, context: Context) {
  const folder = join(ownFolder(context), 'claude-code-plugin')
  const launch = ownLaunch({ cwd: context.terminal.cwd, env: context.env })
  const entries = await readdir(template, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    const from = join(entry.parentPath, entry.name)
    const to = join(folder, from.slice(template.length))
    await mkdir(dirname(to), { recursive: true })
    const text = await readFile(from, 'utf8')
    await writeFile(to, entry.name === 'hooks.json' ? withPaths(text, launch) : text)
  }
  await writeFile(join(folder, '.mcp.json'), server.text)
  const { platform } = context.terminal
  return {
    folder,
    install: [
      `claude plugin marketplace add ${shellWord(folder, platform)}`,
      'claude plugin install audition@audition',
    ],
  }
}

/** Hooks start what the host starts, on the same store. */
function withPaths(hooks: string, { command, args: [main = ''], env }: HostLaunch): string {
  const home = env.AUDITION_HOME === undefined ? [] : ['--home', env.AUDITION_HOME]
  const own: unknown = JSON.parse(hooks, (key, value: unknown) => {
    if (key === 'command' && value === 'node') return command
    if (key !== 'args' || !Array.isArray(value)) return value
    return value.flatMap((word: unknown) => (word === mainInPlace ? [main, ...home] : [word]))
  })
  return `${JSON.stringify(own, null, 2)}\n`
}

/** What to do next, for people. */
export const pluginLines = ({
  folder,
  install,
}: Awaited<ReturnType<typeof writeClaudePlugin>>): readonly string[] => [
  `Wrote the plugin to ${folder}.`,
  ...(isShortLived(packageRoot)
    ? [`It starts ${packageRoot}, which a package runner may clear away: install Audition first.`]
    : []),
  'Install it in Claude Code:',
  '',
  ...install.map((line) => `  ${line}`),
  '',
  'After an upgrade of Node.js or of Audition run this again, and `claude plugin update audition@audition`.',
  '`claude plugin uninstall audition@audition` takes it out again.',
  'It brings the server: where a configuration has Audition too, `audition init claude-code --undo` takes that out.',
]
