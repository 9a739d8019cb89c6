import type { SeededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { jsonOf, strangeText, strangeValue } from './hostile-values.ts'
import { type Known, type Schema, someArguments, someWords } from './mutate-arguments.ts'
import { oneOf, onceIn } from './pick.ts'

/** What a run of messages aims at. */
export type Target = Known & {
  readonly tools: readonly { readonly name: string; readonly inputSchema: Schema }[]
  readonly templates: readonly string[]
  /** Addresses and files of ours that nothing may fetch or read. */
  readonly bait: readonly string[]
}

/** The revision of the protocol in which a message is written; `wrong` ones exist nowhere. */
export type Era = '2024-11-05' | '2025-06-18' | '2025-11-25' | '2026-07-28' | 'wrong'

/** A message and what must come of it. */
export type Message = {
  readonly sort: string
  /** JSON, or what passes for it. */
  readonly text: string
  /** `once`: well formed, it is answered once. `may`: once or not at all. `never`: nobody waits for it. */
  readonly answer: 'once' | 'may' | 'never'
  readonly id: string | number | null
  readonly method: string | null
  /** Id of the request that it cancels: that one need not be answered. */
  readonly cancels?: number
}

type Draft = { readonly method: string; readonly params?: unknown; readonly sort: string }

/** A request that the protocol knows, with right or wrong parameters. */
function someRequest(random: SeededRandom, target: Target): Draft {
  switch (random.below(10)) {
    case 0:
      return { sort: 'resources/read', method: 'resources/read', params: { uri: someUri(random, target) } }
    case 1:
      return { sort: 'completion', method: 'completion/complete', params: someCompletion(random, target) }
    case 2:
      return {
        sort: 'lists',
        method: oneOf(random, [
          'tools/list',
          'resources/list',
          'resources/templates/list',
          'prompts/list',
          'ping',
        ]),
        params: onceIn(random, 2) ? {} : { cursor: strangeText(random) },
      }
    case 3:
      return { sort: 'other methods', method: someMethod(random), params: paramsObject(random) }
    default: {
      const tool = oneOf(random, target.tools)
      const name = onceIn(random, 30) ? strangeText(random) : tool.name
      const given = onceIn(random, 25)
        ? baited(random, target, tool.inputSchema)
        : someArguments(random, tool.inputSchema, target)
      return {
        sort: `call ${tool.name}`,
        method: 'tools/call',
        params: {
          name,
          arguments: given,
          ...(onceIn(random, 10) ? { _meta: { progressToken: random.below(9) } } : {}),
        },
      }
    }
  }
}

const someMethod = (random: SeededRandom): string =>
  oneOf(random, [
    'initialize',
    'server/discover',
    'subscriptions/listen',
    'resources/subscribe',
    'logging/setLevel',
    'sampling/createMessage',
    'elicitation/create',
    'roots/list',
    'prompts/get',
    'tasks/list',
    'tasks/cancel',
    '__proto__',
    'constructor',
    'rpc.discover',
    'tools/call/../list',
    strangeText(random),
  ])

const paramsObject = (random: SeededRandom): object => {
  const value = strangeValue(random)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value }
}

/** Every text argument is an address or a file of ours: nothing may come of it. */
const baited = (random: SeededRandom, { bait }: Target, schema: Schema): object =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, { type }]) => [
      name,
      type === 'array' ? [oneOf(random, bait)] : type === 'string' ? oneOf(random, bait) : undefined,
    ]),
  )

function someUri(random: SeededRandom, { templates, ids, bait }: Target): string {
  const part = (): string =>
    onceIn(random, 2) ? encodeURIComponent(oneOf(random, ids).split('/').at(-1)!) : strangeText(random)
  switch (random.below(6)) {
    case 0:
      return strangeText(random)
    case 1:
      return oneOf(random, bait)
    case 2:
      return `audition://${oneOf(random, ['tools', 'agents', 'transcripts', 'evaluations', '..'])}/${'../'.repeat(random.below(8))}${strangeText(random)}`
    case 3: {
      const [source = '', ...key] = oneOf(random, ids).split('/')
      return `audition://${oneOf(random, ['tools', 'agents'])}/${encodeURIComponent(source)}/${encodeURIComponent(key.join('/'))}`
    }
    default:
      return oneOf(random, templates).replaceAll(/\{[^}]*\}/g, part)
  }
}

const someCompletion = (random: SeededRandom, { templates, ids }: Target): object => ({
  ref: onceIn(random, 6) ? strangeValue(random) : { type: 'ref/resource', uri: oneOf(random, templates) },
  argument: onceIn(random, 8)
    ? strangeValue(random)
    : {
        name: oneOf(random, ['source', 'key', 'dataset', 'run', 'outcome', '__proto__']),
        value: onceIn(random, 2) ? oneOf(random, ids).slice(0, random.below(8)) : strangeText(random),
      },
  ...(onceIn(random, 3)
    ? { context: { arguments: { source: oneOf(random, ids).split('/')[0], dataset: strangeText(random) } } }
    : {}),
})

/** What every request of the current revision carries. */
const envelope = (era: Era) => ({
  'io.modelcontextprotocol/protocolVersion': era === 'wrong' ? '1999-01-01' : era,
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
})

/** Ids of messages lie so far apart; those between are for messages with more than one. */
export const idStep = 10

/** @param id - a multiple of {@link idStep}, not used before on this connection */
export function someMessage(random: SeededRandom, target: Target, era: Era, id: number): Message {
  const draft = someRequest(random, target)
  if (onceIn(random, 6)) return malformed(random, draft, id)
  if (onceIn(random, 25)) return notification(random, id)
  const usedId = onceIn(random, 12) ? `s-${id}-${strangeText(random).slice(0, 40)}` : id
  const isModern = era === '2026-07-28' || era === 'wrong'
  const params = isModern
    ? { ...(draft.params as object), _meta: { ...envelope(era), ...metaOf(draft.params) } }
    : draft.params
  const message = {
    jsonrpc: '2.0',
    id: usedId,
    method: draft.method,
    ...(params === undefined ? {} : { params }),
  }
  const text = jsonOf(message)
  // What is too deep to be written is no message, and listening never ends while nothing changes.
  const isAnswered = text !== 'null' && draft.method !== 'subscriptions/listen'
  return { sort: draft.sort, text, answer: isAnswered ? 'once' : 'may', id: usedId, method: draft.method }
}

const metaOf = (params: unknown): object => {
  const meta = typeof params === 'object' && params !== null && '_meta' in params ? params._meta : undefined
  return typeof meta === 'object' && meta !== null ? meta : {}
}

function notification(random: SeededRandom, id: number): Message {
  const method = oneOf(random, [
    'notifications/initialized',
    'notifications/progress',
    'notifications/roots/list_changed',
    'notifications/cancelled',
    strangeText(random),
  ])
  const isCancelling = method === 'notifications/cancelled'
  const cancels = id - idStep * (1 + random.below(3))
  const params = isCancelling ? { requestId: cancels } : paramsObject(random)
  return {
    sort: isCancelling ? 'cancelled requests' : 'notifications',
    text: jsonOf({ jsonrpc: '2.0', method, params }),
    answer: 'never',
    id: null,
    method,
    ...(isCancelling ? { cancels } : {}),
  }
}

/** Not JSON-RPC, or not JSON. */
function malformed(random: SeededRandom, draft: Draft, id: number): Message {
  const right = { jsonrpc: '2.0', id, method: draft.method, params: draft.params }
  const text = jsonOf(right)
  const rest = { sort: 'malformed', answer: 'may', id, method: null } as const
  switch (random.below(9)) {
    case 0:
      return { ...rest, sort: 'truncated JSON', text: text.slice(0, random.below(text.length)) }
    case 1:
      return {
        ...rest,
        sort: 'batches',
        text: `[${Array.from({ length: random.below(130) }, () => text).join()}]`,
      }
    case 2: {
      const other = strangeValue(random)
      const isId = typeof other === 'string' || typeof other === 'number'
      return { ...rest, text: jsonOf({ ...right, id: other }), id: isId ? other : null }
    }
    case 3:
      return { ...rest, text: jsonOf({ ...right, jsonrpc: strangeValue(random) }) }
    case 4:
      return { ...rest, text: jsonOf({ ...right, method: strangeValue(random) }) }
    case 5:
      return { ...rest, text: jsonOf({ ...right, params: strangeValue(random) }) }
    case 6:
      return {
        ...rest,
        sort: 'answers to nothing',
        text: jsonOf({ jsonrpc: '2.0', id, result: strangeValue(random) }),
      }
    case 7:
      return {
        ...rest,
        sort: 'deep JSON',
        text: `${'['.repeat(100_000)}${onceIn(random, 2) ? ']'.repeat(100_000) : ''}`,
      }
    default:
      return {
        ...rest,
        sort: 'two ids',
        text: text.replace(`"id":${id}`, `"id":${id},"id":${id + 1}`),
        id: id + 1,
      }
  }
}

/** A right search, which a server must still answer after all that. It carries what every revision asks for. */
export const soundSearch = (random: SeededRandom, target: Target, id: number): Message => ({
  sort: soundSort,
  text: jsonOf({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name: 'search_tools',
      arguments: { query: someWords(random, target), k: 3 },
      _meta: envelope('2026-07-28'),
    },
  }),
  answer: 'may',
  id,
  method: 'tools/call',
})
export const soundSort = 'sound search'
/** Whether an answer is no error, of the protocol or of a tool. */
export const isMet = (answer: string): boolean =>
  answer.includes('"result":') && !answer.includes('"isError":true')

/** Whether an answer has candidates in it. */
export const isFound = (answer: string): boolean => answer.includes('"candidates":[{')

/** A message as bytes; once in a while damaged so that they are no UTF-8, and nothing need come of it. */
export function onTheWire(
  random: SeededRandom,
  message: Message,
): { readonly message: Message; readonly bytes: Buffer } {
  const bytes = Buffer.from(message.text, 'utf8')
  if (!onceIn(random, 40) || bytes.length === 0 || typeof message.id !== 'number') return { message, bytes }
  for (let at = 0; at < 3; at += 1)
    bytes[random.below(Math.min(bytes.length, 2 ** 20 - 1))] = 0x80 + random.below(0x80)
  return { message: { ...message, sort: 'invalid UTF-8', answer: 'may' }, bytes }
}
