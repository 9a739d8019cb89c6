import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { globSync } from 'tinyglobby'
import { describe, expect, test } from 'vitest'
import { packageVersion } from '../../src/package-version.ts'
import { tools, toolsThatCall } from '../../src/server/server.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'
import { folderWith, temporaryFolder } from '../fixtures/temporary-folder.ts'

const root = join(import.meta.dirname, '..', '..')
const template = join(root, 'plugins', 'claude-code')
const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8')
const filesOf = (folder: string) => globSync('**', { cwd: folder, dot: true }).sort()

const init = async (home: string, ...argv: readonly string[]) =>
  runCaptured(['init', 'claude-code', '--plugin', ...argv], scriptedAudition({}), {
    env: { AUDITION_HOME: home },
  })

type Hooks = { readonly [event: string]: readonly { readonly hooks: readonly Hook[] }[] }
type Hook = { readonly command: string; readonly args: readonly string[] }

const hooksOf = (folder: string): readonly Hook[] => {
  const { hooks } = JSON.parse(read(folder, 'hooks/hooks.json')) as { readonly hooks: Hooks }
  return Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks))
}

describe('the plugin for Claude Code', () => {
  test('has the version of the package', () => {
    expect(JSON.parse(read(template, '.claude-plugin/plugin.json')).version).toBe(packageVersion())
  })

  test('speaks of tools that the server has, and of no others', () => {
    const names = new Set([...tools, ...toolsThatCall].map(({ name }) => name))
    const texts = ['skills/find-tools-and-agents/SKILL.md', 'commands/audition.md', 'README.md']
    const said = texts.flatMap((path) => read(template, path).match(/`[a-z]+(?:_[a-z]+)+`/g) ?? [])
    expect(said.length).toBeGreaterThan(5)
    for (const name of said) expect(names, name).toContain(name.slice(1, -1))
  })

  test('works in place: what it starts lies there', () => {
    for (const { command, args } of hooksOf(template)) {
      expect(command).toBe('node')
      for (const path of args) {
        const at = path
          .replace(/^\$\{CLAUDE_PLUGIN_ROOT\}/, template)
          .replace(/\/dist\/(.*)\.js$/, '/src/$1.ts')
        expect(existsSync(at), at).toBe(true)
      }
    }
  })
})

describe('audition init claude-code --plugin', () => {
  test('writes every file, with the paths of this installation and its store', async () => {
    const home = temporaryFolder()
    const { code, stdout } = await init(home, '--json')
    expect(code).toBe(0)
    const { folder, install } = JSON.parse(stdout)
    expect(folder).toBe(join(home, 'claude-code-plugin'))
    expect(install[0]).toBe(`claude plugin marketplace add ${folder}`)
    expect(filesOf(folder)).toEqual(filesOf(template))
    const { audition } = JSON.parse(read(folder, '.mcp.json')).mcpServers
    const [main, ...serve] = audition.args
    expect(serve).toEqual(['serve', '--for', 'claude-code'])
    expect(audition.env).toEqual({ AUDITION_HOME: home })
    for (const { command, args } of hooksOf(folder)) {
      expect(command).toBe(audition.command)
      expect(args.slice(1)).toEqual([main, '--home', home])
    }
    const all = filesOf(folder).map((path) => read(folder, path))
    expect(all.join('\n')).not.toMatch(/npx|\.\.\/\.\./)
  })

  test('lets the host call through Audition with --call, and says how it is installed', async () => {
    const home = temporaryFolder()
    const { stdout } = await init(home, '--call')
    expect(stdout).toContain('claude plugin install audition@audition')
    const { audition } = JSON.parse(read(join(home, 'claude-code-plugin'), '.mcp.json')).mcpServers
    expect(audition.args.at(-1)).toBe('--call')
  })

  test.each([['--write'], ['--undo'], ['--scope', 'user']])('is not mixed with %s', async (...argv) => {
    const { code, stderr } = await init(temporaryFolder(), ...argv)
    expect(code).toBe(2)
    expect(stderr).toContain('--plugin')
  })

  test('is for Claude Code alone', async () => {
    const { code, stderr } = await runCaptured(['init', 'cursor', '--plugin'], scriptedAudition({}))
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('claude-code') })
  })
})

describe('hook.mjs ends with 0 and says nothing', () => {
  const hook = join(template, 'hooks', 'hook.mjs')
  test.each([
    { why: 'when Audition is gone', main: undefined },
    { why: 'when it does not parse', main: 'export const = 1' },
    { why: 'when it calls itself wrongly used', main: 'process.exitCode = 2' },
    { why: 'when it ends by another code', main: 'process.exit(2)' },
    { why: 'when it throws later', main: 'setTimeout(() => { throw new Error("x") }, 1)' },
    { why: 'when it rejects later', main: 'setTimeout(() => Promise.reject(new Error("x")), 1)' },
    { why: 'when it never ends', main: 'setInterval(() => {}, 1000)' },
  ])('$why', async ({ main }) => {
    const folder = folderWith(main === undefined ? {} : { 'main.mjs': main })
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [hook, join(folder, 'main.mjs')])
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' })
  })

  test('and hands on what Audition says, by the name of its command', async () => {
    const folder = folderWith({ 'main.mjs': 'console.log(process.argv.slice(1).join(" "))' })
    const main = join(folder, 'main.mjs')
    const { stdout } = await promisify(execFile)(process.execPath, [hook, main, '--home', 'x'])
    expect(stdout).toBe(`${main} --home x hook\n`)
  })
})
