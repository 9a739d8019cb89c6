import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { chooseServers } from '../../src/cli/ask/choose-servers.ts'
import type { PlannedServer } from '../../src/indexing/planned-servers.ts'
import { outputOver, type Terminal } from '../../src/cli/terminal.ts'
import { capture } from '../fakes/captured-terminal.ts'

/** A person who types the next line whenever a question ends. */
function answering(...lines: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const { stream, text } = capture(200)
  const waiting = [...lines]
  const write = stream.write.bind(stream)
  stream.write = ((chunk: string | Uint8Array) => {
    const done = write(chunk)
    if (/[\]:] $/.test(String(chunk))) setImmediate(() => stdin.write(`${waiting.shift() ?? ''}\n`))
    return done
  }) as typeof stream.write
  const output = outputOver(stream, {}, [])
  const place = { env: {}, program: '', cwd: '/', home: '/', platform: 'linux' } as const
  const terminal: Terminal = { stdout: output, stderr: output, stdin, ...place }
  return { terminal, text }
}

const server = (name: string): PlannedServer => ({
  entry: {
    name,
    config: '/x/.mcp.json',
    disabled: false,
    launch: { transport: 'stdio', command: name, args: [], env: {} },
  },
  digest: name,
  place: 'file',
  said: 'nothing',
  isOfUser: false,
})
const servers = ['mail', 'files', 'git', 'maps', '7'].map(server)
const { signal } = new AbortController()

test.each([
  { typed: ['a'], start: ['mail', 'files', 'git', 'maps', '7'], leave: [] },
  { typed: ['All'], start: ['mail', 'files', 'git', 'maps', '7'], leave: [] },
  { typed: ['y'], start: ['mail', 'files', 'git', 'maps', '7'], leave: [] },
  { typed: ['n'], start: [], leave: [] },
  { typed: [''], start: [], leave: [] },
  { typed: ['c', '1 3-4'], start: ['mail', 'git', 'maps'], leave: ['files', '7'] },
  { typed: ['choose', 'GIT, mail'], start: ['mail', 'git'], leave: ['files', 'maps', '7'] },
  { typed: ['2'], start: ['files'], leave: ['mail', 'git', 'maps', '7'] },
  { typed: ['7'], start: ['7'], leave: ['mail', 'files', 'git', 'maps'] },
  { typed: ['c', '9', 'maps'], start: ['maps'], leave: ['mail', 'files', 'git', '7'] },
  { typed: ['c', ''], start: [], leave: [] },
  { typed: ['perhaps', 'later', '4-2', '0'], start: [], leave: [] },
])('$typed', async ({ typed, start, leave }) => {
  const { terminal } = answering(...typed)
  const choice = await chooseServers(servers, terminal, signal)
  const names = (some: readonly PlannedServer[] = []) => some.map(({ entry }) => entry.name)
  expect([names(choice?.start), names(choice?.leave)]).toEqual([start, leave])
})

test('one server is a question of yes or no', async () => {
  const { terminal, text } = answering('y')
  expect(await chooseServers(servers.slice(0, 1), terminal, signal)).toEqual({
    start: servers.slice(0, 1),
    leave: [],
  })
  expect(text()).toContain('Start it now? yes / no [y/N]')
})

test('what is not there is named', async () => {
  const { terminal, text } = answering('c', '1 9', '1')
  await chooseServers(servers, terminal, signal)
  expect(text()).toContain('There is no 9.')
})

test('nobody can be asked', async () => {
  const { terminal } = answering()
  expect(await chooseServers(servers, { ...terminal, stdin: new PassThrough() }, signal)).toBeNull()
})
