import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { jsonOf } from './hostile-values.ts'
import { leaksIn } from './leaks.ts'
import {
  type Era,
  idStep,
  isFound,
  isMet,
  type Message,
  onTheWire,
  someMessage,
  soundSearch,
  soundSort,
} from './protocol-messages.ts'
import { oneOf } from './pick.ts'
import type { Attack } from './run-surface.ts'
import { startServer } from './server-process.ts'
import { countSent, fault, type Tally } from './tally.ts'

/** Requests that wait for their answers at once. */
const mostWaiting = 100
/** Longest wait for an answer, in milliseconds. */
const patienceMs = 60_000
/** Messages before memory is looked at first. */
const warmUp = 0.3

/** How a connection of an era begins. */
const opening = (era: Era): readonly string[] =>
  era === '2026-07-28' || era === 'wrong'
    ? []
    : [
        jsonOf({
          jsonrpc: '2.0',
          id: 0,
          method: 'initialize',
          params: { protocolVersion: era, capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
        }),
        jsonOf({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      ]

type Waiting = { readonly message: Message; answers: number; line?: string }

/**
 * Sends messages to one process over stdio, line by line.
 *
 * @param eras - one: the connection begins as it asks; several: each message is of any, and there is no beginning
 */
export async function fuzzStdio(
  attack: Attack,
  tally: Tally,
  eras: readonly Era[],
  count: number,
): Promise<void> {
  const { main, env, secrets, target } = attack
  const random = seededRandom(attack.seed + eras.length * 31 + eras[0]!.length)
  const server = startServer(main, [], env)
  const waiting = new Map<string, Waiting>()
  let open = 0
  const settled: (() => void)[] = []

  createInterface(server.stdout).on('line', (line) => {
    for (const leak of leaksIn(line, secrets)) fault(tally, 'leak', `${leak}: ${line}`)
    const parsed = JSON.parse(line) as {
      id?: unknown
      method?: string
      error?: { code: number; message: string }
    }
    if (parsed.method !== undefined || parsed.id === undefined || parsed.id === null) return
    const known = waiting.get(JSON.stringify(parsed.id))
    if (known === undefined) return fault(tally, 'answer to nobody', line)
    known.answers += 1
    if (known.message.sort === soundSort) known.line = line
    if (known.message.answer !== 'once') return
    if (parsed.error?.code === -32_603)
      fault(tally, 'server error', `${known.message.text.slice(0, 300)} -> ${line}`)
    if (known.answers === 1) {
      if (isMet(line)) tally.met += 1
      open -= 1
      for (const resolve of settled.splice(0)) resolve()
    } else fault(tally, 'answered twice', line)
  })

  const room = async (most: number): Promise<void> => {
    const deadline = performance.now() + patienceMs
    while (open > most && performance.now() < deadline && server.isAlive()) {
      await Promise.race([new Promise<void>((resolve) => settled.push(resolve)), wait(1_000)])
    }
  }
  const send = async (bytes: Buffer): Promise<void> => {
    if (!server.stdin.write(Buffer.concat([bytes, Buffer.from('\n')]))) {
      await Promise.race([
        new Promise((resolve) => server.stdin.once('drain', resolve)),
        wait(patienceMs, undefined, { ref: false }),
      ])
    }
  }
  const expectAnswer = (message: Message): void => {
    if (message.id === null) return
    const kept = { ...message, text: message.text.slice(0, 500) } // thousands of them are kept
    waiting.set(JSON.stringify(message.id), { message: kept, answers: 0 })
    if (message.answer === 'once') open += 1
  }

  expectAnswer({ sort: 'opening', text: '', answer: 'may', id: 0, method: null })
  if (eras.length === 1) for (const line of opening(eras[0]!)) await send(Buffer.from(line))
  for (let id = 1; id <= count && server.isAlive(); id += 1) {
    const { message, bytes } = onTheWire(
      random,
      someMessage(random, target, oneOf(random, eras), id * idStep),
    )
    expectAnswer(message)
    if (message.cancels !== undefined) cancel(message.cancels)
    countSent(tally, message.sort)
    await send(bytes)
    await room(mostWaiting)
    if (id === Math.ceil(count * warmUp)) {
      await room(0)
      const { rss, heap } = await server.memory()
      tally.memory = { first: rss, last: rss }
      tally.heap = { first: heap, last: heap }
    }
  }
  await room(0)
  await finish()

  function cancel(id: number): void {
    const known = waiting.get(JSON.stringify(id))
    if (known === undefined || known.message.answer !== 'once') return
    if (known.answers === 0) open -= 1
    waiting.set(JSON.stringify(id), { message: { ...known.message, answer: 'may' }, answers: known.answers })
  }

  async function finish(): Promise<void> {
    for (const { message, answers } of waiting.values()) {
      if (message.answer !== 'once') continue
      tally.requests += 1
      if (answers === 1) tally.answeredOnce += 1
      if (answers === 0) fault(tally, 'not answered', message.text)
    }
    if (server.isAlive()) {
      const { rss, heap } = await server.memory()
      tally.memory = { first: tally.memory?.first ?? rss, last: rss }
      tally.heap = { first: tally.heap?.first ?? heap, last: heap }
      tally.searchesAfterwards = await searches()
    }
    const code = await server.end()
    if (code !== 0) fault(tally, 'crash', `the process ended with ${code}`)
    for (const alarm of server.alarms) fault(tally, 'unhandled rejection', alarm)
  }

  async function searches(): Promise<boolean> {
    const search = soundSearch(random, target, 1)
    expectAnswer(search)
    await send(Buffer.from(search.text))
    const answer = () => waiting.get('1')?.line
    for (let waited = 0; waited < patienceMs && answer() === undefined; waited += 50) await wait(50)
    return isFound(answer() ?? '')
  }
}
