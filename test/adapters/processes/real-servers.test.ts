import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { mcpHarvester } from '../../../src/adapters/mcp-client/mcp-harvester.ts'
import { type ChildLimits, defaultChildLimits } from '../../../src/adapters/processes/child-limits.ts'
import { bubblewrap } from '../../../src/adapters/processes/sandbox/bubblewrap.ts'
import { noSandbox } from '../../../src/adapters/processes/sandbox/sandbox.ts'

const require = createRequire(import.meta.url)
const programOf = (name: string): string =>
  join(dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist', 'index.js')

/** A quarter of what they have by default: there is room. */
const tight: ChildLimits = {
  ...defaultChildLimits,
  memoryBytes: defaultChildLimits.memoryBytes! / 4,
  processes: 8,
  openFiles: 256,
}

const place = realpathSync(mkdtempSync(join(tmpdir(), 'audition-servers-')))
afterAll(() => rmSync(place, { recursive: true, force: true }))
const home = join(place, 'home')
const work = join(home, 'work')
mkdirSync(work, { recursive: true })
const sandboxes = [noSandbox(), bubblewrap({ home, hidden: [] })]
const working = await Promise.all(sandboxes.map(async (one) => ({ one, fault: await one.fault() })))

for (const { one: sandbox, fault } of working) {
  describe.skipIf(fault !== null)(
    `real servers, sandbox ${sandbox.name}${fault === null ? '' : `: ${fault.message}`}`,
    () => {
      test.each(['everything', 'filesystem', 'memory', 'sequential-thinking'])(
        '%s lists its tools under a quarter of the default limits',
        async (name) => {
          const harvester = mcpHarvester({
            catalogFolder: place,
            version: '0.0.0',
            timeoutMs: 60_000,
            environment: { ...process.env, HOME: home },
            containment: {
              sandbox,
              limits: tight,
              opening: () => ({ network: false, readable: [], writable: [] }),
            },
          })
          const launch = {
            transport: 'stdio' as const,
            command: process.execPath,
            env: {},
            cwd: work,
            args: [programOf(name), ...(name === 'filesystem' ? [work] : [])],
          }
          const entry = { name, config: join(work, '.mcp.json'), disabled: false, launch }
          const { tools } = await harvester.harvest(entry, new AbortController().signal)
          expect(tools.length).toBeGreaterThan(0)
        },
      )
    },
  )
}
