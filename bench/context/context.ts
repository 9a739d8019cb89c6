import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { configFrom } from '../../src/config.ts'
import { atLeast, atMost, type Bench, type Findings } from '../bench.ts'
import type { Workplace } from '../workplace.ts'
import { askOurs, callFound, type Measured, measurePeer, type Question } from './measure-schemes.ts'
import { npmServers } from './npm-servers.ts'
import { isRecorded, type Recorded, recordServer } from './record-servers.ts'
import { readRequests } from './requests.ts'
import { allLoaded, peers, tokensOf } from './schemes.ts'
import { type ServedTools, serveTools } from './served-tools.ts'

const leastServers = 25
/** Candidates of an answer, where nobody asks for more. */
const fixed = [5, 10]

/** What a host pays for the tools of many real servers, and what it can call after one search. */
export const context: Bench = {
  name: 'context',
  question: 'What do the tools of real MCP servers cost a host, and what can it call after one search?',
  async run(workplace) {
    const recorded = await recordAll(workplace)
    if (recorded === null) return skipped('skipped: npm registry not reachable')
    const servers = new Map(
      recorded.flatMap((one) => ('tools' in one ? [[one.server.name, one.tools] as const] : [])),
    )
    if (servers.size < leastServers)
      return skipped(`skipped: ${servers.size} servers answered, and ${leastServers} are needed`)
    const tools = [...servers].flatMap(([server, listed]) => listed.map((tool) => ({ server, tool })))
    const requests = readRequests().filter(({ server }) => servers.has(server))
    const question = { tools, requests, all: allLoaded(tools) }
    workplace.log(`context: ${servers.size} servers, ${tools.length} tools`)
    const served = await serveTools(servers, workplace.scratch())
    const [ours, ...others] = await measureOurs(served, question).finally(served.close)
    const measured: (readonly [string, Measured])[] = [
      ['Audition, `serve --call`', ours!],
      ...others.map((one, place) => [`the same, asked for ${fixed[place]}`, one] as const),
    ]
    for (const scheme of peers) measured.push([scheme.name, await measurePeer(scheme, question)])
    const silent = recorded.flatMap((one) => ('silent' in one ? [`${one.server.name} (${one.silent})`] : []))
    return {
      tables: [
        {
          title: `${servers.size} servers of npm, ${tools.length} tools, ${requests.length} requests: tokens`,
          head: ['', 'always', 'an answer', 'together, of all loaded', 'right tool callable after it'],
          rows: [
            ['all tools loaded', tokensOf(question.all).toLocaleString('en'), '0', '100%', ''],
            ...measured.map(([name, { cost, callable }]) => [
              name,
              cost.listed.toLocaleString('en'),
              cost.answer.toLocaleString('en'),
              `${cost.share.toFixed(1)}%`,
              `${percent(callable, requests.length).toFixed(1)}%`,
            ]),
          ],
        },
        {
          title: `Requests of which Audition's first answer lets no right tool be called: ${ours!.failures.length}`,
          head: ['right', 'request', 'instead'],
          rows: ours!.failures.map(({ request, why }) => [request.tools.join(', '), request.request, why]),
        },
      ],
      notes: [...notes, ...peers.map(({ assumes }) => assumes), ...silent.map((one) => `Left out: ${one}`)],
      floors: [
        atMost('tokens with `serve --call`, of all tools loaded', 4, ours!.cost.share, '%'),
        atLeast('requests whose right tool is callable', 92, percent(ours!.callable, requests.length), '%'),
      ],
    }
  },
}

/** With as many candidates as Audition gives by itself, and with fixed numbers. All is asked before anything is called. */
async function measureOurs(served: ServedTools, question: Question): Promise<readonly Measured[]> {
  const asked = []
  for (const k of [undefined, ...fixed]) asked.push(await askOurs(served, question, k))
  const measured = []
  for (const one of asked) measured.push(await callFound(served, question, one))
  return measured
}

const notes = [
  '3.2 bytes of UTF-8 a token, as in `answers`. Of a tool its name, description and input schema count, of ours the instructions too.',
  'Callable with Audition: the first answer has a right tool and all its required inputs by name, and a call of it through Audition with made-up arguments came to it. Where inputs are cut, `describe` is counted to the answer.',
  'Callable with others: a right tool is among those of the answer, whose schemas are whole. Their rankers are stood in for as said below.',
]

const percent = (count: number, of: number): number => (100 * count) / Math.max(1, of)

const skipped = (note: string): Findings => ({
  tables: [],
  notes: [note],
  floors: [
    atMost('tokens with `serve --call`, of all tools loaded', 4, undefined, '%'),
    atLeast('requests whose right tool is callable', 92, undefined, '%'),
  ],
})

/** Null where some were never recorded and npm cannot be reached. */
async function recordAll({ log }: Workplace): Promise<readonly Recorded[] | null> {
  const cache = join(configFrom(process.env).cache, 'bench', 'npm-servers')
  if (!npmServers.every((server) => isRecorded(server, cache)) && !(await npmAnswers())) return null
  const limit = pLimit(2)
  return Promise.all(
    npmServers.map((server) =>
      limit(async () => {
        const one = await recordServer(server, cache)
        log(`context: ${server.name}, ${'tools' in one ? `${one.tools.length} tools` : one.silent}`)
        return one
      }),
    ),
  )
}

const npmAnswers = (): Promise<boolean> =>
  promisify(execFile)('npm', ['ping'], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )
