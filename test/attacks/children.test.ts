import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { attacks, serverAttacks } from './children/attacks.ts'
import { behavioursOf, runAttacks, runServers } from './children/run-attacks.ts'

const programs = join(import.meta.dirname, 'children', 'programs')
const onLinux = test.runIf(process.platform === 'linux')

onLinux('every behaviour of the programs is tried', () => {
  const helpers = ['hog', 'spin']
  const names = attacks.map(({ name }) => name)
  expect(
    behavioursOf(join(programs, 'hostile.mjs')).filter(
      (name) => !names.includes(name) && !helpers.includes(name),
    ),
  ).toEqual([])
  expect(behavioursOf(join(programs, 'hostile-server.mjs'))).toEqual(serverAttacks.map(({ name }) => name))
})

onLinux.each([
  { sort: 'many processes', names: ['processes one after another', 'family of memory hogs'] },
  { sort: 'one large file', names: ['one large file', 'open files'] },
  { sort: 'a daemon', names: ['daemon without environment', 'stops itself'] },
  {
    sort: 'trouble for who cleans up',
    names: ['closed folder', 'link out of its folder', 'deletes its folder'],
  },
  { sort: 'secrets', names: ['reads its environment', 'reads keys', 'reads the environment of others'] },
  {
    sort: 'reaching out',
    names: ['connects to this machine', 'writes into the home folder', 'kills others'],
  },
])('$sort: held, nothing left, no secret out of a sandbox', async ({ names }) => {
  const outcomes = await runAttacks({ folder: temporaryFolder(), programs }, names)
  expect(outcomes.length).toBeGreaterThanOrEqual(names.length)
  expect(
    outcomes.flatMap(({ attack, sandbox, faults }) =>
      faults.map((fault) => `${sandbox}, ${attack.name}: ${fault}`),
    ),
  ).toEqual([])
})

onLinux.each([
  'pages without an end',
  'stdout without an end',
  'no list but processes',
  'daemon left behind',
])('a server with %s fails to be harvested, and is gone', async (name) => {
  const outcomes = await runServers({ folder: temporaryFolder(), programs }, [name])
  expect(outcomes).toMatchObject([{ name, left: 0, fault: null }])
})
