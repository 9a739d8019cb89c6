import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { atMost, type Bench, fixed } from './bench.ts'
import { serveAudition } from './served-audition.ts'
import { medianPercentiles, type Percentiles, percentiles } from './statistics.ts'

const clients = 8
const searches = 2000

/** What a round of searches gave. */
type Round = Percentiles & { readonly errors: number; readonly perSecond: number }

/** A real `audition serve --http` and real SDK clients, in two processes. */
export const httpLoad: Bench = {
  name: 'http',
  question: `What do ${clients} clients that search at once over HTTP feel?`,
  async run(workplace) {
    const size = workplace.sizes.at(-1)!
    const home = await workplace.store('audition', workplace.corpus(size))
    const queries = workplace.queries(20)
    const server = await serveAudition({ env: { AUDITION_HOME: home } })
    try {
      const connected = await Promise.all(Array.from({ length: clients }, () => connect(server.url)))
      const alone: Round[] = []
      const together: Round[] = []
      const rounds = workplace.quick ? 1 : 5
      const each = searches / rounds / clients
      await load(connected, queries, 10)
      for (let round = 1; round <= rounds; round += 1) {
        workplace.log(`http: round ${round} of ${rounds}`)
        alone.push(await load(connected.slice(0, 1), queries, each * 4))
        together.push(await load(connected, queries, each))
      }
      await Promise.all(connected.map((client) => client.close()))
      const [one, eight] = [medianPercentiles(alone), medianPercentiles(together)]
      const errors = together.reduce((sum, round) => sum + round.errors, 0)
      return {
        tables: [
          {
            title: `search_tools over HTTP, ${size.toLocaleString('en')} tools`,
            head: [
              'clients',
              'p50 ms',
              'p95 ms',
              'p99 ms',
              'p99 ratio',
              'searches a second',
              'searches',
              'errors',
            ],
            rows: [rowOf(1, alone, each * 4), rowOf(clients, together, each * clients)].map((row, index) =>
              row.toSpliced(4, 0, `${fixed((index === 0 ? one : eight).p99 / one.p99)} x`),
            ),
          },
        ],
        notes: [
          `Median over ${rounds} interleaved rounds of one client and of ${clients} at once. The clients share one process; server and clients share the machine.`,
        ],
        floors: [
          atMost(`errors of ${clients} clients over HTTP, ${searches} searches`, 0, errors),
          atMost(`p99 of ${clients} clients, against that of one`, 10, eight.p99 / one.p99, ' x'),
        ],
      }
    } finally {
      await server.stop()
    }
  },
}

function rowOf(count: number, rounds: readonly Round[], perRound: number): string[] {
  const { p50, p95, p99 } = medianPercentiles(rounds)
  const perSecond = percentiles(rounds.map((round) => round.perSecond)).p50
  const errors = rounds.reduce((sum, round) => sum + round.errors, 0)
  return [
    `${count}`,
    fixed(p50),
    fixed(p95),
    fixed(p99),
    fixed(perSecond),
    `${rounds.length * perRound}`,
    `${errors}`,
  ]
}

/** Each client searches `each` times, one search after another. */
async function load(connected: readonly Client[], queries: readonly string[], each: number): Promise<Round> {
  const milliseconds: number[] = []
  let errors = 0
  const started = performance.now()
  await Promise.all(
    connected.map(async (client, number) => {
      for (let turn = 0; turn < each; turn += 1) {
        const query = queries[(number * each + turn) % queries.length]!
        const asked = performance.now()
        const isFine = await client.callTool({ name: 'search_tools', arguments: { query } }).then(
          ({ isError }) => isError !== true,
          () => false,
        )
        milliseconds.push(performance.now() - asked)
        if (!isFine) errors += 1
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  return { ...percentiles(milliseconds), errors, perSecond: (connected.length * each) / seconds }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}
