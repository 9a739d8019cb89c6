import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Audition, openAudition } from '../src/compose/app.ts'
import { HarvestError, type McpServerEntry } from '../src/catalog/ports.ts'
import { configFrom } from '../src/config.ts'
import { packageVersion } from '../src/package-version.ts'
import { folderWith, temporaryFolder } from './catalog/temporary-folder.ts'
import { type CompiledPackage, compiledPackage } from './fixtures/compiled-package.ts'

/** An entry of a host's configuration that says it starts Audition. */
const entry = (command: string, ...args: readonly string[]): McpServerEntry => ({
  name: 'audition',
  config: join(temporaryFolder(), 'mcp.json'),
  disabled: false,
  launch: { transport: 'stdio', command, args, env: {} },
})

/** A main file that does this. */
const script = (text: string): string => join(folderWith({ 'cli/main.mjs': text }), 'cli/main.mjs')

const attempt = (audition: Audition, one: McpServerEntry, timeoutMs = 20_000) =>
  audition.tryOwnEntry(one, timeoutMs)

const opened = () => openAudition(configFrom({ ...process.env, AUDITION_HOME: temporaryFolder() }))

describe('an entry that does not start Audition', () => {
  test.each([
    {
      why: 'the program is missing',
      start: () => entry('/nowhere/node', 'main.js'),
      says: 'command "/nowhere/node" not found',
    },
    {
      why: 'it ends at once',
      start: () => entry(process.execPath, script('console.error("no store here"); process.exit(3)')),
      says: /exited with code 3 before it answered: no store here/,
    },
    {
      why: 'it speaks another protocol',
      start: () => entry(process.execPath, script('console.log("Hello!"); process.stdin.resume()')),
      says: /(?:does not speak MCP|did not answer)[\s\S]*it printed: On stdout, .*: Hello!/,
      timeoutMs: 3_000,
    },
    {
      why: 'it says nothing',
      start: () => entry(process.execPath, script('setInterval(() => {}, 1000)')),
      says: 'it did not answer within 1 s',
      timeoutMs: 1_000,
    },
  ])('says so when $why', async ({ start, says, timeoutMs }) => {
    const audition = opened()
    const failed = attempt(audition, start(), timeoutMs)
    await expect(failed).rejects.toThrow(HarvestError)
    await expect(failed).rejects.toThrow(says)
    await audition.close()
  })
})

describe('the installed package', () => {
  let built: CompiledPackage
  beforeAll(async () => {
    built = await compiledPackage()
  })

  test('answers as a host starts it, with no variable of the shell', async () => {
    const audition = opened()
    const home = temporaryFolder()
    const own = entry(process.execPath, built.main, 'serve')
    const answer = await attempt(audition, {
      ...own,
      launch: { ...own.launch, env: { AUDITION_HOME: home } } as McpServerEntry['launch'],
    })
    expect(answer).toMatchObject({ name: 'audition', version: packageVersion() })
    expect(answer.tools).toBeGreaterThan(0)
    await audition.close()
  })
})
