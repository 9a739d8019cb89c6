import { setTimeout as wait } from 'node:timers/promises'
import { beginningOf } from '../domain/text/cut.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { mulberry32, seedOf } from '../domain/random.ts'
import { RemedyError } from '../domain/remedy-error.ts'
import { keyOfJson } from './answers-file.ts'
import type { Faults, ToolAnswer } from './ports.ts'

/** What went wrong with one call. */
export type Fault = 'errors' | 'empty' | 'wrong-schema'
const kinds = ['errors', 'empty', 'wrong-schema'] as const satisfies readonly Fault[]

const longestLatency = 600_000

/** Reads `latency=200ms,errors=0.1,empty=0.05,wrong-schema=0.05`. @throws RemedyError that says what is wrong */
export function faultsOf(text: string): Faults {
  const entries = text.split(',').map((one) => {
    const [name = '', value = ''] = one.split('=').map((part) => part.trim())
    if (name === 'latency') return [name, latencyOf(value)] as const
    if (!(kinds as readonly string[]).includes(name)) throw wrong(`"${one.trim()}" names none of them`)
    const share = Number(value)
    if (value === '' || !(share >= 0 && share <= 1)) throw wrong(`${name} is no share of 0 to 1: "${value}"`)
    return [name, share] as const
  })
  const faults: Faults = Object.fromEntries(entries)
  const together = kinds.reduce((sum, kind) => sum + (faults[kind] ?? 0), 0)
  if (together > 1 + 1e-9) throw wrong(`the shares are ${together} together, more than 1`)
  return faults
}

function latencyOf(value: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(value) ?? []
  const latency = Number(number) * (unit === 's' ? 1_000 : 1)
  if (number === '' || latency > longestLatency)
    throw wrong(`latency is no time of at most ten minutes, such as 200ms or 2s: "${value}"`)
  return latency
}

const wrong = (what: string): RemedyError =>
  new RemedyError(
    `The faults cannot be read: ${what}.`,
    'Write them as latency=200ms,errors=0.1,empty=0.05,wrong-schema=0.05; leave out what shall not happen.',
  )

/** Draws the faults of one session: the same seed and the same calls give the same faults, in whatever order they come. */
export function faultsOfSession(faults: Faults, seed: number) {
  const times = new Map<string, number>()
  return {
    /** @throws the reason of the signal */
    async delay(signal: AbortSignal | undefined): Promise<void> {
      if ((faults.latency ?? 0) > 0) await wait(faults.latency, undefined, { ...(signal ? { signal } : {}) })
      signal?.throwIfAborted()
    },
    /** The fault of a call, which counts how often it was made. */
    draw(tool: string, args: JsonObject): Fault | null {
      if (kinds.every((kind) => faults[kind] === undefined)) return null
      const call = `${tool} ${keyOfJson(args)}`
      const time = times.get(call) ?? 0
      times.set(call, time + 1)
      let left = mulberry32(seedOf(`${seed} ${call} ${time}`))()
      for (const kind of kinds) {
        left -= faults[kind] ?? 0
        if (left < 0) return kind
      }
      return null
    },
  }
}

/** The answer with its fault. */
export function spoiled(answer: ToolAnswer, fault: Exclude<Fault, 'errors'>): ToolAnswer {
  if (answer.failed) return answer
  if (fault === 'empty') {
    const { structured } = answer
    return {
      content: [],
      failed: false,
      ...(structured === undefined ? {} : { structured: emptied(structured) }),
    }
  }
  const structured = answer.structured === undefined ? undefined : misshapen(answer.structured)
  const text = structured === undefined ? undefined : JSON.stringify(structured)
  return {
    content: text === undefined ? answer.content.map(halved) : [{ type: 'text', text }],
    failed: false,
    ...(structured === undefined ? {} : { structured }),
  }
}

function emptied(value: JsonValue): JsonValue {
  if (typeof value === 'string') return ''
  if (Array.isArray(value)) return []
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, emptied(member)]))
}

/** Every member is of another type than before, but for those within members. */
const misshapen = (value: JsonValue): JsonValue =>
  isJsonObject(value) && Object.keys(value).length > 0
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          typeof member === 'string' ? [member] : JSON.stringify(member),
        ]),
      )
    : { unexpected: JSON.stringify(value) }

/** A text that breaks off. */
const halved = (block: JsonObject): JsonObject =>
  typeof block.text === 'string'
    ? { ...block, text: beginningOf(block.text, Math.ceil(block.text.length / 2)) }
    : block
