import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Editions, editionsOf, type Found, type Source, sources } from './editions.ts'

/** A `serve --http` in a process of its own, and a client that searches there. */
export type ServedReplica = {
  readonly pid: number
  readonly url: string
  /** @throws whatever a caller would hear */
  search(query: string): Promise<readonly Found[]>
  /** What it said on stderr. */
  told(): string
  close(): Promise<void>
}

export async function startReplica(
  program: string,
  environment: { readonly [variable: string]: string },
): Promise<ServedReplica> {
  const child = spawn(process.execPath, [program, 'serve', '--http', '0', '--no-watch'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, RUST_BACKTRACE: '0', ...environment },
  })
  let told = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (told += String(piece)))
  const url = await addressIn(child, () => told)
  const client = new Client({ name: 'replicas', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return {
    pid: child.pid!,
    url,
    async search(query) {
      const result = await client.callTool({ name: 'search_tools', arguments: { query, k: 20 } })
      const { candidates } = (result.structuredContent ?? {}) as { candidates?: readonly Found[] }
      if (result.isError === true || candidates === undefined)
        throw new Error(JSON.stringify(result.content).slice(0, 300))
      return candidates
    },
    told: () => told,
    async close() {
      await client.close().catch(() => undefined)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((done) => child.once('close', done))
      child.kill('SIGTERM')
      await ended
    },
  }
}

const mostMs = 60_000

async function addressIn(child: ChildProcess, told: () => string): Promise<string> {
  const until = Date.now() + mostMs
  for (;;) {
    const [url] = /http:\/\/\S+\/mcp/.exec(told()) ?? []
    if (url !== undefined) return url
    if (child.exitCode !== null || Date.now() > until) throw new Error(`It does not serve: ${told()}`)
    await wait(50)
  }
}

/** An answer of a replica. */
export type Answered = {
  /** When it was asked for. */
  readonly at: number
  readonly editions: Editions
  readonly milliseconds: number
}

/** What the callers of one replica met. */
export type Heard = { readonly answers: Answered[]; readonly errors: string[]; readonly mixed: string[] }

const queries = [
  'weigh a parcel of the post, audit a ledger of the bank',
  'sign a contract of the bank and print a stamp of the post',
  'declare customs for whoever asks at the post or the bank',
]

/** Searches one after another until told to stop, and looks at each answer. */
export async function hear(
  replica: ServedReplica,
  { isOver, pauseMs }: { readonly isOver: (searches: number) => boolean; readonly pauseMs: () => number },
): Promise<Heard> {
  const heard: Heard = { answers: [], errors: [], mixed: [] }
  const newest: { [source in Source]?: number } = {}
  for (let search = 0; !isOver(search); search += 1) {
    const at = performance.now()
    try {
      const editions = editionsOf(await replica.search(queries[search % queries.length]!))
      if (typeof editions === 'string') heard.mixed.push(editions)
      else {
        heard.answers.push({ at, editions, milliseconds: performance.now() - at })
        for (const source of sources) {
          const [before = 0, now = before] = [newest[source], editions[source]]
          if (now < before) heard.mixed.push(`"${source}" went back from edition ${before} to ${now}`)
          newest[source] = now
        }
      }
    } catch (error) {
      heard.errors.push(String(error instanceof Error ? error.message : error))
    }
    await wait(pauseMs())
  }
  return heard
}
