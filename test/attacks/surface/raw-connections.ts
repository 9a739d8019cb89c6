import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { SeededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { oneOf } from './pick.ts'
import { soundSearch, type Target } from './protocol-messages.ts'

/** What came over a connection until it ended, or until we had waited long enough. */
export type RawReply = { readonly text: string; readonly isSettled: boolean }

/** How long a connection is kept that the server need not end at once, in milliseconds. */
const heldMs = 400
const patienceMs = 45_000

type Script = {
  readonly sort: string
  /** Written one after another, with pauses in between. */
  readonly parts: readonly (string | Buffer)[]
  readonly pauseMs: number
  /** `us`: we leave, the server owes nothing. `server`: it must answer or hang up. */
  readonly ends: 'us' | 'server'
}

const host = 'Host: 127.0.0.1\r\n'
const head = (length: number | string): string =>
  `POST /mcp HTTP/1.1\r\n${host}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${
    typeof length === 'number' ? `Content-Length: ${length}` : length
  }\r\n\r\n`

function scripts(random: SeededRandom, target: Target): readonly (() => Script)[] {
  const body = soundSearch(random, target, 1).text
  const noise = (length: number): Buffer => {
    const bytes = new Uint32Array(length)
    random.fillBelow(bytes, 256)
    return Buffer.from(bytes)
  }
  const script =
    (sort: string, parts: Script['parts'], ends: Script['ends'] = 'server', pauseMs = 0) =>
    () => ({
      sort,
      parts,
      ends,
      pauseMs,
    })
  return [
    script('raw bytes', [noise(1 + random.below(4_000)), '\r\n\r\n']),
    script('raw bytes', [Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), noise(500), '\r\n\r\n']),
    script('truncated bodies', [head(body.length + 50), body], 'us'),
    script('truncated bodies', [head(body.length), body.slice(0, 20)], 'us'),
    script('slow bodies', [head(body.length), ...body.match(/.{1,24}/gs)!], 'us', 15),
    script('slow headers', [...head(10).match(/.{1,12}/gs)!], 'us', 15),
    script(
      'slow chunks',
      [head('Transfer-Encoding: chunked'), ...Array.from({ length: 20 }, () => '1\r\n{\r\n')],
      'us',
      15,
    ),
    script(
      'chunks',
      [head('Transfer-Encoding: chunked'), `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
      'us',
    ),
    script('chunks', [head('Transfer-Encoding: chunked'), 'zz\r\nbody\r\n0\r\n\r\n']),
    script('chunks', [head('Transfer-Encoding: chunked'), 'ffffffffffffffffff\r\n']),
    script('two lengths', [head(`Content-Length: ${body.length}\r\nContent-Length: 3`), body]),
    script('two lengths', [head(`Content-Length: ${body.length}\r\nTransfer-Encoding: chunked`), body]),
    script('wrong lengths', [head('Content-Length: -5'), body]),
    script('wrong lengths', [head('Content-Length: 99999999999999999999'), body]),
    script('hosts', [`POST /mcp HTTP/1.1\r\nHost: evil.example\r\n${host}Content-Length: 0\r\n\r\n`], 'us'),
    script('hosts', ['POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n\r\n'], 'us'),
    script('targets', [`POST http://evil.example/mcp HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`], 'us'),
    script('targets', [`CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`]),
    script('targets', [`OPTIONS * HTTP/1.1\r\n${host}\r\n`], 'us'),
    script(
      'upgrades',
      [
        `GET /mcp HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`,
      ],
      'us',
    ),
    script('upgrades', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']),
    script('header bombs', [`POST /mcp HTTP/1.1\r\n${host}X: ${'y'.repeat(20_000)}\r\n\r\n`]),
    script('header bombs', [`POST /mcp HTTP/1.1\r\n${host}${'X: y\r\n'.repeat(2_500)}\r\n`]),
    script('pipelines', [`${head(body.length)}${body}`.repeat(5)], 'us'),
    script(
      'expectations',
      [`POST /mcp HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`],
      'us',
    ),
    script(
      'expectations',
      [`POST /mcp HTTP/1.1\r\n${host}Expect: miracles\r\nContent-Length: 0\r\n\r\n`],
      'us',
    ),
    script('bare line feeds', [`POST /mcp HTTP/1.1\n${host}Content-Length: 0\n\n`], 'us'),
    script('hang up', [head(body.length)], 'us'),
  ]
}

/** Connections on which we write what we like. Those that the server need not end are held a while, beside others. */
export function rawConnections(port: number) {
  const held = new Set<Promise<void>>()
  return {
    next(random: SeededRandom, target: Target): { readonly sort: string; readonly reply: Promise<RawReply> } {
      const script = oneOf(random, scripts(random, target))()
      const { ended, text, leave } = played(port, script)
      if (script.ends === 'server') {
        const late = wait(patienceMs, undefined, { ref: false }).then(() => false)
        const reply = Promise.race([ended.then(() => true), late]).then((isSettled) => ({
          text: text(),
          isSettled,
        }))
        return { sort: script.sort, reply: reply.finally(leave) }
      }
      const hold = Promise.race([ended, wait(heldMs + script.pauseMs * script.parts.length)]).finally(leave)
      held.add(hold)
      hold.finally(() => held.delete(hold))
      return {
        sort: script.sort,
        reply:
          held.size < 50
            ? Promise.resolve({ text: '', isSettled: true })
            : hold.then(() => ({ text: text(), isSettled: true })),
      }
    },
    settled: () => Promise.all(held),
  }
}

function played(port: number, { parts, pauseMs }: Script) {
  const received: Buffer[] = []
  const socket = connect(port, '127.0.0.1')
  socket.on('data', (part: Buffer) => received.push(part))
  const ended = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('error', () => resolve())
    socket.on('end', () => resolve())
  })
  const write = async (): Promise<void> => {
    for (const part of parts) {
      if (socket.destroyed || !socket.writable) return
      socket.write(part)
      if (pauseMs > 0) await wait(pauseMs)
    }
  }
  void write()
  return { ended, leave: () => void socket.destroy(), text: () => Buffer.concat(received).toString('latin1') }
}
