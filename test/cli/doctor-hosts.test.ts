import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Audition } from '../../src/compose/app.ts'
import { HarvestError, type McpServerEntry } from '../../src/catalog/ports.ts'
import { ownLaunch } from '../../src/cli/ask/host-launch.ts'
import { packageVersion } from '../../src/package-version.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { folderWith } from '../fixtures/temporary-folder.ts'

const ours = ownLaunch({ cwd: '/', env: {} })
/** An installation elsewhere. */
const elsewhere = mkdtempSync(join(tmpdir(), 'audition-elsewhere-'))
mkdirSync(join(elsewhere, 'cli'))
writeFileSync(join(elsewhere, 'cli/main.js'), '')
afterAll(() => rmSync(elsewhere, { recursive: true }))
const other = { command: process.execPath, args: [join(elsewhere, 'cli/main.js'), 'serve'] }
const fetched = { command: 'npx', args: ['-y', 'audition-mcp', 'serve'] }

type Finding = { readonly state: string; readonly message: string; readonly remedy?: string }

/** What `doctor` says of Audition in hosts on a machine with these files, and what it started. */
async function seen(
  files: { readonly [path: string]: unknown },
  answer: Audition['tryOwnEntry'] = async () => ({ name: 'audition', version: packageVersion(), tools: 5 }),
  argv: readonly string[] = [],
) {
  const root = mkdtempSync(join(tmpdir(), 'audition-doctor-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  mkdirSync(join(root, 'app'), { recursive: true })
  const started: McpServerEntry[] = []
  const tryOwnEntry: Audition['tryOwnEntry'] = (entry, timeoutMs, signal) => {
    started.push(entry)
    return answer(entry, timeoutMs, signal)
  }
  const audition = scriptedAudition({ tryOwnEntry, tryServer: async () => ({ tools: [{}] }) })
  const place = { cwd: join(root, 'app'), home: join(root, 'home') }
  const { stdout } = await runCaptured(['doctor', '--json', ...argv], audition, place)
  const all: readonly (Finding & { readonly check: string })[] = JSON.parse(stdout).findings
  const of = (name: string) => all.filter(({ check }) => check === name).map(({ check, ...rest }) => rest)
  return { root, started, found: of('audition in hosts'), hosts: of('hosts') }
}

const failing = (message: string) => () =>
  Promise.reject(
    new HarvestError(`MCP server "audition": ${message}`, 'Mend what it reports, or disable it.'),
  )

describe('audition in hosts', () => {
  test('is a line for each host that has it, in whatever words, and each is started', async () => {
    const { root, started, found } = await seen({
      'app/.mcp.json': { mcpServers: { audition: ours } },
      'home/.codex/config.toml': `[mcp_servers.audition]\ncommand = "${ours.command}"\nargs = ${JSON.stringify(ours.args)}\n`,
      'home/.config/opencode/opencode.json': {
        mcp: { audition: { type: 'local', command: [ours.command, ...ours.args] } },
      },
      'home/.cursor/mcp.json': { mcpServers: { tracker: { command: 'x' } } },
    })
    const answer = `answers with 5 tools, version ${packageVersion()}`
    expect(found).toEqual([
      { state: 'ok', message: `Claude Code, ${join(root, 'app/.mcp.json')}: ${answer}` },
      { state: 'ok', message: `Codex, ${join(root, 'home/.codex/config.toml')}: ${answer}` },
      {
        state: 'ok',
        message: `opencode, ${join(root, 'home/.config/opencode/opencode.json')}: ${answer}`,
      },
    ])
    expect(started.map(({ launch }) => launch)).toEqual(
      Array(3).fill({ transport: 'stdio', ...ours, env: {} }),
    )
  })

  test.each([
    { what: 'the program', entry: { ...other, command: '/opt/gone/node' }, gone: '/opt/gone/node' },
    {
      what: 'the script',
      entry: { ...other, args: ['/opt/gone/cli/main.js'] },
      gone: '/opt/gone/cli/main.js',
    },
  ])('fails where $what is gone, be it in a project, and nothing is started', async ({ entry, gone }) => {
    const { started, found } = await seen({ 'app/.mcp.json': { mcpServers: { audition: entry } } })
    expect(found).toMatchObject([
      { state: 'fail', message: expect.stringContaining(`${gone} does not exist`) },
    ])
    expect(started).toEqual([])
  })

  test('names the plugin where that has a stale entry', async () => {
    const plugin = folderWith({ '.mcp.json': { mcpServers: { audition: other } } })
    const list = { plugins: { 'audition@audition': [{ scope: 'user', installPath: plugin }] } }
    const { found } = await seen({ 'home/.claude/plugins/installed_plugins.json': list }, failing('gone'))
    expect(found).toEqual([
      {
        state: 'fail',
        message: expect.stringContaining('gone'),
        remedy: '`audition init claude-code --plugin` writes this installation instead.',
      },
    ])
  })

  test.each([
    'command "/old/node" not found',
    'the process exited with code 1 before it answered. Its stderr ends with:\nerror: no store\n',
    'it does not speak MCP as expected: Hello',
    'it did not answer within 30 s',
  ])('says what failed and writes it anew: %s', async (message) => {
    const { found } = await seen(
      { 'home/.cursor/mcp.json': { mcpServers: { audition: other } } },
      failing(message),
    )
    expect(found).toEqual([
      {
        state: 'fail',
        message: expect.stringContaining(message),
        remedy: '`audition init cursor --scope user --write --replace` writes this installation instead.',
      },
    ])
  })

  test('an entry of this installation that fails is not mended by writing it anew', async () => {
    const { found } = await seen({ 'app/.mcp.json': { mcpServers: { audition: ours } } }, failing('no'))
    expect(found).toMatchObject([{ state: 'fail', remedy: 'Mend what it reports, or disable it.' }])
  })

  test.each(['npx', '/usr/bin/npx', 'bunx'])('%s and a name is told and never started', async (command) => {
    const { started, found } = await seen({
      'home/.cursor/mcp.json': { mcpServers: { audition: { ...fetched, command } } },
    })
    expect(started).toEqual([])
    expect(found).toMatchObject([
      { state: 'fail', message: expect.stringContaining('runs whatever somebody publishes under that name') },
    ])
  })

  test.each([
    { why: 'another program', entry: other },
    { why: 'our program with more arguments', entry: { ...ours, args: [...ours.args, '--http'] } },
    { why: 'our program under a variable', entry: { ...ours, env: { NODE_OPTIONS: '--require ./x.js' } } },
    { why: 'our program on a store of the project', entry: { ...ours, env: { AUDITION_HOME: './store' } } },
    { why: 'our program in another folder', entry: { ...ours, cwd: '/tmp' } },
  ])('$why in the file of a project is started only when asked for', async ({ entry }) => {
    const files = { 'app/.mcp.json': { mcpServers: { audition: entry } } }
    const unasked = await seen(files)
    expect(unasked.started).toEqual([])
    expect(unasked.found).toMatchObject([{ state: 'warn', remedy: expect.stringContaining('--servers') }])
    const asked = await seen(files, undefined, ['--servers'])
    expect(asked.started).toHaveLength(1)
    expect(asked.found).toMatchObject([{ state: 'ok' }])
  })

  test.each([
    {
      why: 'another version answers',
      answer: { name: 'audition', version: '0.0.1', tools: 5 },
      expected: { state: 'warn', message: expect.stringContaining('version 0.0.1, where this is') },
    },
    {
      why: 'another server answers',
      answer: { name: 'tracker', version: '1', tools: 9 },
      expected: { state: 'fail', message: expect.stringContaining('another server answers, "tracker"') },
    },
  ])('says when $why', async ({ answer, expected }) => {
    const files = { 'home/.cursor/mcp.json': { mcpServers: { audition: other } } }
    const { found } = await seen(files, async () => answer)
    expect(found).toMatchObject([expected])
  })

  test('a name without a place is a warning for a desktop application, and none for a command line', async () => {
    const entry = { ...other, command: 'node' }
    const { found } = await seen({
      'home/.codeium/windsurf/mcp_config.json': { mcpServers: { audition: entry } },
      'home/.gemini/settings.json': { mcpServers: { audition: entry } },
    })
    expect(found).toMatchObject([
      { state: 'warn', message: expect.stringContaining('a desktop application does not see') },
      { state: 'ok', message: expect.stringContaining('Gemini CLI') },
    ])
  })

  test('an entry that the host was told not to start is not started here either', async () => {
    const { root, started, found } = await seen({
      'home/.gemini/settings.json': { mcp: { allowed: ['notes'] }, mcpServers: { audition: ours } },
    })
    expect(started).toEqual([])
    expect(found).toMatchObject([
      {
        state: 'warn',
        message: expect.stringContaining(`switched off in this file`),
        remedy: 'Switch it on there to have Audition in Gemini CLI.',
      },
    ])
    expect(root).toBeTruthy()
  })
})

test('hosts are a line each, and what is broken says where', async () => {
  const { root, hosts } = await seen({
    'app/.mcp.json': '{ "mcpServers": {\n "x": }',
    'app/.kiro/settings/mcp.json': { mcpServers: { a: { command: 'a' }, b: { command: 7 } } },
    'home/.codex/config.toml': '[mcp_servers.a]\nurl = "https://a.test"\n',
  })
  expect(hosts).toEqual([
    {
      state: 'fail',
      message: `Claude Code, ${join(root, 'app/.mcp.json')}: is not valid JSON, line 2: ValueExpected`,
      remedy: 'Mend its syntax.',
    },
    { state: 'ok', message: `Kiro, ${join(root, 'app/.kiro/settings/mcp.json')}: 1 MCP server` },
    {
      state: 'fail',
      message: expect.stringContaining('mcpServers.b.command: the command is missing'),
      remedy: expect.any(String),
    },
    { state: 'ok', message: `Codex, ${join(root, 'home/.codex/config.toml')}: 1 MCP server` },
  ])
})
