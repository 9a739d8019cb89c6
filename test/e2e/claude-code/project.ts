import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { compiledPackage } from '../../fixtures/compiled-package.ts'

const reviewer = `---
name: lease-reviewer
description: Reviews leases for unfair clauses, deposits and notice periods before they are signed
tools: Read
---
Read the whole lease first.
`

/** Replaces a text wherever it stands in a file. @throws when it does not stand there */
export function patch(path: string, text: string, other: string): void {
  const parts = readFileSync(path, 'utf8').split(text)
  if (parts.length === 1) throw new Error(`${path} has no ${text}`)
  writeFileSync(path, parts.join(other))
}

/** A project with two servers and a sub-agent, a server that only Audition knows, and the plugin, beside its store. */
export async function projectWithPlugin() {
  const { main } = await compiledPackage()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'audition-claude-code-')))
  const [cwd, home] = [join(folder, 'project'), join(folder, 'home')]
  const servers = join(dirname(dirname(main)), 'bundled', 'servers')
  const config = (...names: readonly string[]) => {
    const entry = (name: string) => ({ command: process.execPath, args: [join(servers, `${name}.js`)] })
    return JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, entry(name)])) })
  }
  const files = {
    'project/.mcp.json': config('calendar', 'arithmetic'),
    'project/.claude/agents/lease-reviewer.md': reviewer,
    'team/servers.json': config('text'),
    'home/settings.json': '{}',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const audition = async (...argv: readonly string[]) => {
    const env = { PATH: process.env.PATH, HOME: home, AUDITION_HOME: join(home, 'store'), NO_COLOR: '1' }
    return (await promisify(execFile)(process.execPath, [main, ...argv], { cwd, env })).stdout
  }
  await audition('index', '-y')
  await audition('index', '-y', join(folder, 'team', 'servers.json'))
  await audition('allow', '--yes', 'text/count_words')
  await audition('init', 'claude-code', '--plugin', '--call')
  const plugin = join(home, 'store', 'claude-code-plugin')
  // A busy machine of tests takes its time.
  patch(join(plugin, 'hooks', 'hook.mjs'), 'mostMs = 3_000', 'mostMs = 60_000')
  patch(join(plugin, 'hooks', 'hooks.json'), '"timeout": 5', '"timeout": 60')
  const allowed = 'mcp__plugin_audition_audition,mcp__calendar,mcp__arithmetic'
  return {
    folder,
    main,
    cwd,
    home,
    plugin,
    audition,
    /** A prompt in the project. */
    asking: (prompt: string) => ({
      cwd,
      home,
      prompt,
      argv: ['--plugin-dir', plugin, '--allowedTools', allowed],
    }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
