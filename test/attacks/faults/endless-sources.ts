import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Fault, failed, seen, unclear } from './fault.ts'
import type { Ended } from './run-program.ts'
import { call, homeIn, indexEdition, notEdition, notIndexable } from './stores.ts'

/** Longest time that a call with a limit of {@link seconds} may take on a busy machine, in milliseconds. */
const mostMs = 60_000
const seconds = 4

/** Indexes a location beside an edition that must stay, and looks that it does. */
const source = (
  name: string,
  says: readonly RegExp[],
  make: (folder: string) => string | Promise<string>,
  more: Partial<Fault> = {},
): Fault => ({
  group: 'endless or dying source',
  name,
  ...more,
  async run(place) {
    if (process.platform === 'win32') return { kind: 'skipped', why: 'no pipes and devices as files here' }
    await indexEdition(place, 1)
    const index = await call(
      place,
      ['index', await make(place.folder), '--yes', '--timeout', String(seconds)],
      { mostMs },
    )
    return seen(index, [
      ...unclear(index, { says }),
      ...(await notEdition(homeIn(place), 1)),
      ...(await notIndexable(place, 2)),
    ])
  },
})

const pipe = (folder: string): string => {
  const path = join(folder, 'pipe.json')
  execFileSync('mkfifo', [path])
  return path
}

/** A configuration with one MCP server, written in JavaScript. */
const server =
  (code: string) =>
  (folder: string): string => {
    writeFileSync(join(folder, 'server.mjs'), `${protocol}\n${code}`)
    const path = join(folder, '.mcp.json')
    const entry = { command: process.execPath, args: [join(folder, 'server.mjs')] }
    writeFileSync(path, JSON.stringify({ mcpServers: { strange: entry } }))
    return path
  }

/** The least of a server: greets, and answers `tools/list` by what `pages` gives. */
const protocol = `
import { createInterface } from 'node:readline'
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
const serve = (page) => createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    say({ jsonrpc: '2.0', id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'strange', version: '1' } } })
  else if (method === 'tools/list') page(id, params ?? {})
  else if (id !== undefined) say({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } })
})
const tools = (from) => Array.from({ length: 20 }, (_, at) => ({ name: 'tool_' + (from + at), description: 'Does a thing', inputSchema: { type: 'object' } }))`

const servers: readonly Fault[] = [
  source(
    'an MCP server with endless pages of tools',
    [/strange/, /more than|in time|did not/i],
    server(
      `let page = 0; serve((id) => { page += 1; say({ jsonrpc: '2.0', id, result: { tools: tools(page * 20), nextCursor: 'p' + page } }) })`,
    ),
  ),
  source(
    'an MCP server that floods one line without end',
    [/strange/, /MB|in time|did not|sent/i],
    server(
      `const more = () => { while (process.stdout.write('x'.repeat(65536))) {} ; process.stdout.once('drain', more) }; more()`,
    ),
  ),
  source(
    'an MCP server that floods notifications',
    [/strange/, /MB|in time|did not|sent/i],
    server(
      `const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'y'.repeat(4000) } }) + '\\n'
       serve(() => {}); const more = () => { while (process.stdout.write(line)) {} ; process.stdout.once('drain', more) }; more()`,
    ),
  ),
  source(
    'an MCP server that never answers',
    [/strange/, /within|in time|did not/i],
    server('process.stdin.resume(); setInterval(() => {}, 1000)'),
  ),
  source(
    'an MCP server that dies in mid-harvest',
    [/strange/, /ended|exit|closed|died/i],
    server(
      `serve((id, { cursor }) => { if (cursor) process.exit(3); say({ jsonrpc: '2.0', id, result: { tools: tools(0), nextCursor: 'next' } }) })`,
    ),
  ),
  source(
    'an MCP server that is killed in mid-harvest',
    [/strange/, /ended|exit|closed|died|kill/i],
    server(
      `serve((id, { cursor }) => { if (cursor) process.kill(process.pid, 'SIGKILL'); say({ jsonrpc: '2.0', id, result: { tools: tools(0), nextCursor: 'next' } }) })`,
    ),
  ),
]

/** Answers each request by writing for ever. */
const http = (name: string, write: (response: ServerResponse) => void, more: Partial<Fault> = {}): Fault => ({
  group: 'endless or dying source',
  name,
  ...more,
  async run(place) {
    await indexEdition(place, 1)
    const listener = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.on('error', () => undefined)
      write(response)
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as AddressInfo
    const index: Ended = await call(place, ['index', `http://127.0.0.1:${port}/tools.json`], { mostMs })
    listener.closeAllConnections()
    listener.close()
    return seen(index, [
      ...unclear(index, { says: [/127\.0\.0\.1/, /16 MB|within|timeout|timed out|aborted|30 s/i] }),
      ...(await notEdition(homeIn(place), 1)),
    ])
  },
})

const chunk = Buffer.alloc(64 * 1024, '[')

const flood = (response: ServerResponse): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk)) {}
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

const drip = (response: ServerResponse): void => {
  const timer = setInterval(() => response.write('['), 500)
  response.on('close', () => clearInterval(timer))
}

/** Links that lead in circles cost nothing: the cards behind them are read. */
const linkLoops: Fault = {
  group: 'endless or dying source',
  name: 'a folder whose links lead in circles',
  async run(place) {
    if (process.platform === 'win32') return { kind: 'skipped', why: 'links need a privilege here' }
    await indexEdition(place, 1)
    const folder = join(place.folder, 'links')
    mkdirSync(join(folder, 'deep', 'deeper'), { recursive: true })
    writeFileSync(
      join(folder, 'deep', 'guide.md'),
      '---\nname: guide\ndescription: Guides through links\n---\nGo.\n',
    )
    for (const [target, link] of [
      ['.', 'here'],
      ['..', join('deep', 'up')],
      ['../..', join('deep', 'deeper', 'top')],
      ['itself', 'itself'],
      [folder, join('deep', 'whole')],
    ] as const)
      symlinkSync(target, join(folder, link))
    const index = await call(place, ['index', folder, '--yes'], { mostMs })
    const search = await call(place, ['search', 'guide through links', '--json'])
    return seen(index, [
      ...failed('index', index),
      ...(search.stdout.includes('links/guide') ? [] : ['the card in that folder is not found']),
      ...(search.stdout.includes('guide~2') ? ['the card is there twice'] : []),
      ...(await notIndexable({ ...place, folder: join(place.folder, 'fresh') }, 2)),
    ])
  },
}

/** More files than any folder of agents has. */
const manyFiles = source(
  'a folder of 100,001 files',
  [/100001 files/, /Name the folders/],
  (folder) => {
    const many = join(folder, 'many')
    for (let part = 0; part <= 100; part += 1) {
      mkdirSync(join(many, String(part)), { recursive: true })
      const files = part === 100 ? 1 : 1000
      for (let at = 0; at < files; at += 1) writeFileSync(join(many, String(part), `${at}.json`), '')
    }
    return many
  },
  { slow: true },
)

export const endlessSources: readonly Fault[] = [
  ...servers,
  http('a URL that answers without end', flood),
  http('a URL that answers a byte at a time without end', drip, { slow: true }),
  source('a pipe that nobody writes to', [/pipe/, /Save what it gives/], pipe),
  source('a device that gives zeros', [/device/, /Save what it gives/], () => '/dev/zero'),
  linkLoops,
  manyFiles,
]
