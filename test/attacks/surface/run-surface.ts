import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { writeCorpus } from '../../../bench/corpus.ts'
import { syntheticQueries, syntheticTools } from '../../../bench/synthetic.ts'
import {
  cardUriTemplate,
  reportUriTemplate,
  transcriptUriTemplate,
} from '../../../src/server/answers/uris.ts'
import { tools } from '../../../src/server/server.ts'
import { fuzzHttp } from './http-fuzz.ts'
import type { Secrets } from './leaks.ts'
import type { Schema } from './mutate-arguments.ts'
import type { Target } from './protocol-messages.ts'
import { fuzzStdio } from './stdio-fuzz.ts'
import { fault, newTally, type Tally } from './tally.ts'

/** What the program is attacked with, and what must not come out of it. */
export type Attack = {
  readonly main: string
  readonly env: { readonly [name: string]: string }
  readonly secrets: Secrets
  readonly target: Target
  readonly seed: number
}

/** How an attack is run. */
export type SurfaceOptions = {
  /** The program, compiled. */
  readonly main: string
  /** An empty folder. */
  readonly folder: string
  /** Of the package, with the bundled catalog in it. */
  readonly root: string
  readonly seed: number
  /** Messages over each transport. */
  readonly messages: number
  log(message: string): void
}

/** Attacks a real program with a real store over both transports. */
export async function runSurface(options: SurfaceOptions): Promise<readonly Tally[]> {
  const bait = await openBait(options.folder)
  try {
    const attack = await prepare(options, bait)
    const { messages, log } = options
    const tallies: Tally[] = []
    const run = async (name: string, fuzz: (tally: Tally) => Promise<void>): Promise<void> => {
      log(`surface: ${name}`)
      const tally = newTally(name)
      await fuzz(tally)
      for (const taken of bait.taken.splice(0)) fault(tally, 'bait taken', taken)
      tallies.push(tally)
    }
    const third = Math.ceil(messages / 3)
    await run('stdio, 2025-11-25', (tally) => fuzzStdio(attack, tally, ['2025-11-25'], third))
    await run('stdio, 2026-07-28', (tally) => fuzzStdio(attack, tally, ['2026-07-28'], third))
    await run('stdio, no order', (tally) =>
      fuzzStdio(attack, tally, ['2024-11-05', '2025-06-18', '2026-07-28', 'wrong'], messages - 2 * third),
    )
    await run('HTTP', (tally) => fuzzHttp(attack, tally, messages))
    return tallies
  } finally {
    await bait.close()
  }
}

/** An address and a file that nothing may ask for. */
async function openBait(folder: string) {
  const taken: string[] = []
  const server = createServer((request, response) => {
    taken.push(`${request.method} ${request.url}`)
    response.end('bait')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const file = join(resolve(folder, '..'), `bait-${port}.json`)
  writeFileSync(file, JSON.stringify({ mcpServers: { bait: { command: 'bait-content-4711' } } }))
  return {
    taken,
    content: 'bait-content-4711',
    names: [`http://127.0.0.1:${port}/bait`, `http://localhost:${port}/mcp`, file, `file://${file}`],
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

type Bait = Awaited<ReturnType<typeof openBait>>

/** Makes a store with agents and tools, and an environment with secrets in it. */
async function prepare({ main, folder, root, seed }: SurfaceOptions, bait: Bait): Promise<Attack> {
  const corpus = join(folder, 'corpus')
  const home = join(folder, 'home-of-quentin')
  mkdirSync(corpus, { recursive: true })
  mkdirSync(home)
  writeCorpus(corpus, syntheticTools(200))
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    USER: 'quentin-4711',
    LOGNAME: 'quentin-4711',
    AUDITION_READER: 'none',
    AUDITION_HOME: join(folder, 'store-4711'),
    AUDITION_SETTINGS: join(home, 'settings.yaml'),
    SOME_API_KEY: 'sk-canary-4711-abcdefghijklmnop',
    NO_COLOR: '1',
  }
  const run = promisify(execFile)
  await run(
    process.execPath,
    [main, 'index', corpus, join(root, 'catalog', 'profiles'), '--no-harvest', '--yes'],
    { env },
  )
  const schemas = tools.map(({ name, inputSchema }) => ({ name, inputSchema: inputSchema() as Schema }))
  const query = `review csv ${syntheticQueries(1)[0]}`
  const { stdout } = await run(process.execPath, [main, 'search', query, '-k', '20', '--json'], { env })
  const found = [...stdout.matchAll(/"id": ?"([^"]+\/[^"]+)"/g)].map(([, id]) => id!)
  const ids = [...new Set(found), 'nothing/here']
  if (ids.length < 20) throw new Error(`Only ${ids.length} ids were found to attack with.`)
  return {
    main,
    env,
    seed,
    secrets: {
      'the working folder': process.cwd(),
      'the store': 'store-4711',
      'the home': 'home-of-quentin',
      'the user': 'quentin-4711',
      'a secret of the environment': 'sk-canary',
      'the program': main,
      'the interpreter': process.execPath,
      'a file of ours': bait.content,
    },
    target: {
      tools: schemas,
      templates: [
        cardUriTemplate('agent'),
        cardUriTemplate('tool'),
        reportUriTemplate,
        transcriptUriTemplate,
      ],
      ids,
      words: [
        ...new Set(syntheticQueries(40).join(' ').split(' ')),
        'review',
        'csv',
        'date',
        'bundled',
        'latest',
        'self',
      ],
      bait: bait.names,
    },
  }
}
