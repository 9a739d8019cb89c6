import { Agent, request } from 'node:http'
import { seededRandom, type SeededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { strangeText } from './hostile-values.ts'
import { leaksIn } from './leaks.ts'
import { oneOf, onceIn } from './pick.ts'
import {
  type Era,
  idStep,
  isFound,
  isMet,
  type Message,
  onTheWire,
  someMessage,
  soundSearch,
} from './protocol-messages.ts'
import { rawConnections, type RawReply } from './raw-connections.ts'
import type { Attack } from './run-surface.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { countSent, fault, type Tally } from './tally.ts'

/** Requests that are open at once. */
const atOnce = 16
/** Every so manieth message goes over a connection of its own, byte by byte as we like. */
const rawEvery = 12
/** Longest wait for a reply, in milliseconds. */
const patienceMs = 60_000

const eras: readonly Era[] = ['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28', 'wrong']

type Headers = { readonly [name: string]: string }
type Sent = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly message: Message
  readonly bytes: Buffer
}
type Reply = { readonly status: number; readonly head: string; readonly body: string }

/** Sends messages to one server over HTTP, several at once, some over connections that obey no rule. */
export async function fuzzHttp(attack: Attack, tally: Tally, count: number): Promise<void> {
  const { main, env, secrets, target } = attack
  const random = seededRandom(attack.seed + 7)
  const server = startServer(main, ['--http', '0'], env)
  const port = Number(new URL(await server.said(/http:\/\/\S+\/mcp/)).port)
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const raw = rawConnections(port)
  /** Ids of requests that were cancelled: these need not be answered. */
  const cancelled = new Set<Message['id']>()

  const judge = (sent: Sent, reply: Reply): void => {
    const shown = `${sent.method} ${sent.path} ${sent.message.text.slice(0, 300)} -> ${reply.status} ${reply.body.slice(0, 200)}`
    for (const leak of leaksIn(`${reply.head}\n${reply.body}`, secrets))
      fault(tally, 'leak', `${leak}: ${shown}`)
    if (reply.status >= 500) fault(tally, 'server error', shown)
    const answers = answersTo(reply.body, sent.message.id)
    const isStopped = answers.length === 0 && cancelled.has(sent.message.id)
    if (sent.message.answer !== 'once' || isStopped) return
    tally.requests += 1
    if (isMet(reply.body)) tally.met += 1
    if (answers.length === 1) tally.answeredOnce += 1
    else fault(tally, answers.length === 0 ? 'not answered' : 'answered twice', shown)
    if (answers[0]?.error?.code === -32_603) fault(tally, 'server error', shown)
  }

  /** One after another, as one of those at once; the seed decides what is sent, not the order of replies. */
  const drafts = Array.from({ length: count }, (_, at) => () => draft(random, attack, (at + 1) * idStep))
  let next = 0
  const worker = async (until: number): Promise<void> => {
    while (next < until && server.isAlive()) {
      const at = next
      next += 1
      if (at % rawEvery === rawEvery - 1) {
        const one = raw.next(random, target)
        countSent(tally, one.sort)
        const reply = await one.reply
        judgeRaw(reply, one.sort)
      } else {
        const sent = drafts[at]!()
        if (sent.message.cancels !== undefined) cancelled.add(sent.message.cancels)
        countSent(tally, sent.message.sort)
        judge(sent, await exchange(agent, port, sent).catch((error: unknown) => failed(sent, error)))
      }
    }
  }
  const judgeRaw = ({ text, isSettled }: RawReply, sort: string): void => {
    for (const leak of leaksIn(text, secrets)) fault(tally, 'leak', `${leak}: ${sort} -> ${text}`)
    if (/^HTTP\/1\.1 5/.test(text)) fault(tally, 'server error', `${sort} -> ${text}`)
    if (!isSettled) fault(tally, 'not answered', `${sort}: the connection stayed open without an answer`)
  }
  const failed = (sent: Sent, error: unknown): Reply => {
    const isRight = sent.message.answer === 'once'
    if (isRight) fault(tally, 'not answered', `${sent.message.text.slice(0, 300)}: ${String(error)}`)
    return { status: 0, head: '', body: isRight ? answerOf(sent.message.id) : '' } // counted once, here
  }

  const run = (until: number) => Promise.all(Array.from({ length: atOnce }, () => worker(until)))
  await run(Math.ceil(count * 0.3))
  const first = server.isAlive() ? await server.memory() : null
  await run(count)
  await raw.settled()
  if (server.isAlive() && first !== null) {
    const last = await server.memory()
    tally.memory = { first: first.rss, last: last.rss }
    tally.heap = { first: first.heap, last: last.heap }
    tally.searchesAfterwards = await searches(agent, port, random, attack)
  }
  agent.destroy()
  await end(server, tally)
}

async function end(server: ServerProcess, tally: Tally): Promise<void> {
  const code = await server.end()
  if (code !== 0) fault(tally, 'crash', `the process ended with ${code}`)
  for (const alarm of server.alarms) fault(tally, 'unhandled rejection', alarm)
}

/** A message in a request that is right, or wrong in what stands around it. */
function draft(random: SeededRandom, { target }: Attack, id: number): Sent {
  const era = oneOf(random, eras)
  const made = onTheWire(random, someMessage(random, target, era, id))
  const right: Sent = { method: 'POST', path: '/mcp', headers: headersOf(era, made.message), ...made }
  // A name that no header can carry cannot be sent as the current revision asks.
  const name = era === '2026-07-28' ? nameOf(made.message) : ''
  const sayable = /^[\x21-\x7e]*$/.test(`${made.message.method ?? ''}${name}`)
  const careful = sayable ? right : { ...right, message: { ...right.message, answer: 'may' as const } }
  return onceIn(random, 6) ? disturbed(random, careful) : careful
}

const usual: Headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

function headersOf(era: Era, message: Message): Headers {
  if (era === 'wrong') return { ...usual, 'mcp-protocol-version': '1999-01-01' }
  if (era !== '2026-07-28') return { ...usual, 'mcp-protocol-version': era }
  const named = nameOf(message)
  return {
    ...usual,
    'mcp-protocol-version': era,
    ...(message.method === null ? {} : { 'mcp-method': headerText(message.method) }),
    ...(named === '' ? {} : { 'mcp-name': headerText(named) }),
  }
}

/** What the header `Mcp-Name` repeats: the tool, or the address of the resource. */
function nameOf(message: Message): string {
  try {
    const { params } = JSON.parse(message.text) as { params?: { name?: unknown; uri?: unknown } }
    const named = message.method === 'resources/read' ? params?.uri : params?.name
    return typeof named === 'string' ? named : ''
  } catch {
    return ''
  }
}

const headerText = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 2_000)

/** Something around the message is changed: then nothing need come of it but an answer. */
function disturbed(random: SeededRandom, right: Sent): Sent {
  const sent = (sort: string, change: Partial<Sent>): Sent => ({
    ...right,
    ...change,
    message: { ...right.message, sort, answer: 'may' },
  })
  const text = headerText(strangeText(random))
  switch (random.below(9)) {
    case 0:
      return sent('methods', {
        method: oneOf(random, ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']),
      })
    case 1:
      return sent('paths', {
        path: oneOf(random, [
          '/',
          '//mcp',
          '/mcp/',
          '/MCP',
          '/mcp/../etc/passwd',
          '/%2e%2e/',
          '/mcp?x=1',
          '/health',
          '/.well-known/oauth-protected-resource',
          `/${'a'.repeat(4_000)}`,
        ]),
      })
    case 2:
      return sent('content types', {
        headers: {
          ...right.headers,
          'content-type': oneOf(random, [
            'text/plain',
            'multipart/form-data; boundary=x',
            'application/json; charset=utf-16',
            '',
            text,
          ]),
        },
      })
    case 3:
      return sent('accepted types', {
        headers: { ...right.headers, accept: oneOf(random, ['*/*', 'text/html', '', text]) },
      })
    case 4:
      return sent('versions', {
        headers: {
          ...right.headers,
          'mcp-protocol-version': oneOf(random, ['2026-07-28', '2025-11-25', '9999-99-99', '-1', text]),
        },
      })
    case 5:
      return sent('origins', {
        headers: {
          ...right.headers,
          origin: oneOf(random, [
            'null',
            'https://evil.example',
            'http://localhost.evil.example',
            'http://localhost:1',
            text,
          ]),
        },
      })
    case 6:
      return sent('session ids', {
        headers: { ...right.headers, 'mcp-session-id': text, 'last-event-id': text },
      })
    case 7:
      return sent('header bombs', {
        headers: {
          ...right.headers,
          ...Object.fromEntries(
            Array.from({ length: 1 + random.below(300) }, (_, at) => [
              `x-${at}`,
              'y'.repeat(random.below(100)),
            ]),
          ),
        },
      })
    default:
      return sent('encodings', {
        headers: { ...right.headers, 'content-encoding': oneOf(random, ['gzip', 'br', 'deflate', text]) },
      })
  }
}

function exchange(agent: Agent, port: number, draft: Sent, isRetry = false): Promise<Reply> {
  const { method, path, headers, bytes } = draft
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: { ...headers, 'content-length': bytes.length },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => {
          parts.push(part)
          // Listening goes on until somebody ends it.
          if (bytes.includes('subscriptions/listen')) setTimeout(() => sent.destroy(), 20)
        })
        const done = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            head: JSON.stringify(response.rawHeaders),
            body: Buffer.concat(parts).toString('utf8'),
          })
        response.on('end', done)
        response.on('error', done)
      },
    )
    sent.setTimeout(patienceMs, () => sent.destroy(new Error('no answer in time')))
    sent.on('error', (error) => {
      // A kept connection may end just when it is used again: clients try once more.
      if (sent.reusedSocket && !isRetry) resolve(exchange(agent, port, draft, true))
      else reject(error)
    })
    sent.end(bytes)
  })
}

type Answer = { readonly id?: unknown; readonly method?: string; readonly error?: { readonly code: number } }

/** The messages in a body that answer a request, be it JSON or an event stream. */
function answersTo(body: string, id: unknown): readonly Answer[] {
  const texts =
    body.startsWith('event:') || body.includes('\ndata:') || body.startsWith(':')
      ? body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice('data: '.length)] : []))
      : [body]
  return texts.flatMap((text) => {
    try {
      const answer = JSON.parse(text) as Answer
      const isError = answer.error !== undefined && answer.id === null // whole reply is the answer
      return answer.method === undefined && (isError || JSON.stringify(answer.id) === JSON.stringify(id))
        ? [answer]
        : []
    } catch {
      return []
    }
  })
}

const answerOf = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} })

async function searches(
  agent: Agent,
  port: number,
  random: SeededRandom,
  { target }: Attack,
): Promise<boolean> {
  const message = soundSearch(random, target, 1)
  const reply = await exchange(agent, port, {
    method: 'POST',
    path: '/mcp',
    headers: headersOf('2026-07-28', message),
    message,
    bytes: Buffer.from(message.text),
  })
  return reply.status === 200 && isFound(reply.body)
}
