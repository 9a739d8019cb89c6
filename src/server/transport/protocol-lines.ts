import { Transform, type TransformCallback } from 'node:stream'
import { parseJSONRPCMessage } from '@modelcontextprotocol/server'

/** A line that no request can be made of, and the id of the request that it was to be, if it can be told. */
export type RejectedLine = { readonly id: string | number | null; readonly message: string }

/** How lines are read. */
type LineOptions = {
  /** Longest line, in bytes. */
  readonly longest: number
  /** Is told of lines that were left out and that someone may wait for. */
  onRejected(line: RejectedLine): void
  /** Resolves when more may be read: until then the sender waits. */
  room(): Promise<void>
}

/**
 * Passes on the lines of a stream that are messages of the protocol. Without it, one line too long ends the
 * connection, and who sent a malformed request waits for an answer for ever.
 */
export function protocolLines({ longest, onRejected, room }: LineOptions): Transform {
  const line = lineBuffer(longest)
  const take = (bytes: Buffer, push: (line: Buffer) => void): void => {
    let start = 0
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
      line.add(bytes.subarray(start, end))
      start = end + 1
      const whole = line.take()
      if (whole.kind === 'long') onRejected(longLine(whole, longest))
      else {
        const rejected = rejectionsOf(whole.bytes)
        if (rejected === null) push(Buffer.concat([whole.bytes, lineBreak]))
        else for (const one of rejected) onRejected(one)
      }
    }
    line.add(bytes.subarray(start))
  }
  return new Transform({
    transform(bytes: Buffer, _, done: TransformCallback) {
      take(bytes, (whole) => this.push(whole))
      room().then(() => done(), done)
    },
  })
}

const lineEnd = 0x0a
const lineBreak = Buffer.from('\n')

type Line =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'long'; readonly head: string; readonly tail: string }

/** Bytes of a long line's ends that are kept, to tell whose it was. */
const keptBytes = 256

/** Gathers the parts of a line; of one that gets too long, only its ends. */
function lineBuffer(longest: number): { add(part: Buffer): void; take(): Line } {
  let parts: Buffer[] = []
  let length = 0
  let long: { readonly head: string; tail: Buffer } | null = null
  return {
    add(part) {
      length += part.length
      if (long !== null) long.tail = Buffer.from(Buffer.concat([long.tail, part]).subarray(-keptBytes))
      else if (length <= longest) parts.push(part)
      else {
        const all = Buffer.concat([...parts, part])
        long = {
          head: all.subarray(0, keptBytes).toString('utf8'),
          tail: Buffer.from(all.subarray(-keptBytes)),
        }
        parts = []
      }
    },
    take() {
      const taken: Line =
        long === null
          ? { kind: 'whole', bytes: Buffer.concat(parts) }
          : { kind: 'long', head: long.head, tail: long.tail.toString('utf8') }
      parts = []
      length = 0
      long = null
      return taken
    },
  }
}

/** Clients write the id right after the version, first or last. */
const idAtHead = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,100}")\s*,/
const idAtTail = /"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,100}")\s*\}\s*$/

function longLine({ head, tail }: { readonly head: string; readonly tail: string }, longest: number) {
  const id = idAtHead.exec(head)?.[1] ?? idAtTail.exec(tail)?.[1]
  return {
    id: id === undefined ? null : (JSON.parse(id) as string | number),
    message: `The message is too long: a line may have ${longest} bytes. It was left out.`,
  }
}

/** Who waits for a line that is no message; null when it is one. For lines that are no JSON, nobody does. */
function rejectionsOf(bytes: Buffer): readonly RejectedLine[] | null {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    return []
  }
  try {
    parseJSONRPCMessage(value)
    return null
  } catch {
    const message = Array.isArray(value)
      ? 'Batches are not read here: send each message in a line of its own.'
      : 'The line is no message of the protocol (JSON-RPC 2.0).'
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
    return parts.map(idOf).flatMap((id) => (id === null ? [] : { id, message }))
  }
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}
