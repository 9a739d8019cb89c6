import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { partedCase } from '../domain/text/word-rules.ts'
import type { PastCall, ToolAnswer, KeptAnswer } from './ports.ts'
import type { ToolCard } from '../domain/card.ts'
import { toolEffect } from '../retrieval/effects/effect.ts'
import { keyOfJson } from './answers-file.ts'

/** What a tool does with things of one kind, as far as its name tells. */
type Act = 'create' | 'list' | 'get' | 'update' | 'delete'

const verbs: { readonly [act in Act]: string } = {
  create: 'create add new insert make register open post write save store schedule book',
  list: 'list search find query',
  get: 'get read show fetch describe view retrieve lookup',
  update: 'update edit set change modify rename patch',
  delete: 'delete remove drop cancel erase',
}
const actOf = new Map(
  (Object.entries(verbs) as [Act, string][]).flatMap(([act, words]) =>
    words.split(' ').map((word) => [word, act] as const),
  ),
)

/** Words of a name that say nothing of its thing. */
const passedOver = new Set('all my the a an of new current entire full details'.split(' '))

/** `create_note`, `notes.create` and `listNotes` all speak of notes. Null for a name without such a verb, or without a thing. */
export function meaningOf(tool: string): { readonly act: Act; readonly noun: string } | null {
  const words = partedCase(tool)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const at = [0, words.length - 1].find((place) => actOf.has(words[place] ?? ''))
  if (at === undefined) return null
  const rest = words.filter((_, place) => place !== at)
  const end = rest.findIndex((word) => word === 'by' || word === 'with' || word === 'for')
  const noun = (end < 0 ? rest : rest.slice(0, end)).filter((word) => !passedOver.has(word)).map(singular)
  return noun.length === 0 ? null : { act: actOf.get(words[at]!)!, noun: noun.join(' ') }
}

const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1')

/** Things of one kind that a session created, as they are now, and those that it deleted: also such as it did not create. */
export type Things = { readonly there: readonly JsonObject[]; readonly gone: readonly JsonObject[] }

export function thingsIn(history: readonly PastCall[], noun: string): Things {
  let there: readonly JsonObject[] = []
  const gone: JsonObject[] = []
  for (const { tool, arguments: given, answer, changes } of history) {
    const meaning = changes ? meaningOf(tool) : null
    if (meaning?.noun !== noun) continue
    if (meaning.act === 'create') there = [...there, { ...given, ...objectOf(answer) }]
    if (meaning.act === 'update')
      there = there.map((thing) => (isMeant(thing, given) ? { ...thing, ...given } : thing))
    if (meaning.act !== 'delete') continue
    const meant = there.filter((thing) => isMeant(thing, given))
    // What the server had before is known by its id alone.
    gone.push(...(meant.length === 0 && Object.keys(given).some(isId) ? [given] : meant))
    there = there.filter((thing) => !isMeant(thing, given))
  }
  return { there, gone }
}

/** Whether arguments name a thing: by its id, or by members that both have, all of which agree. */
export function isMeant(thing: JsonObject, given: JsonObject): boolean {
  const ids = Object.entries(thing).flatMap(([name, value]) => (isId(name) ? [value] : []))
  const named = Object.entries(given).filter(([, value]) => typeof value !== 'object')
  if (named.some(([name, value]) => isId(name) && ids.includes(value))) return true
  const shared = named.filter(([name]) => Object.hasOwn(thing, name))
  return (
    shared.length > 0 &&
    !named.some(([name]) => isId(name)) &&
    shared.every(([name, value]) => thing[name] === value)
  )
}

export const isId = (name: string): boolean => /(?:^|[_-])id$|Id$|^uuid$/.test(name)

/** What an answer says of one thing: its structure, or that of its text; of `{"note": {…}}` what is inside. */
function objectOf({ structured, content }: ToolAnswer): JsonObject {
  const value = structured ?? jsonOf(content[0]?.text)
  if (!isJsonObject(value)) return {}
  const [inside, ...others] = Object.values(value)
  return others.length === 0 && isJsonObject(inside) ? inside : value
}

function jsonOf(text: JsonValue | undefined): JsonValue | undefined {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as JsonValue) : undefined
  } catch {
    return undefined
  }
}

/** What a session has come to. Never changed: each call makes the next one. */
export type SessionState = {
  /** The same for the same changes with the same answers, one after the other. What only reads does not count. */
  readonly key: string
  /** All calls that were answered, oldest first; long ago, only what changed something. */
  readonly history: readonly PastCall[]
}

/** Before anything happened: the state of a server that was just started. */
export const startState: SessionState = { key: 'start', history: [] }

/** Whether a call of a tool may leave something behind. Of a tool that does not tell, it may. */
export const mayChange = (card: ToolCard): boolean => toolEffect(card) !== 'reads'

/** The state after a call. One that failed changed nothing. */
export function stateAfter({ key, history }: SessionState, kept: KeptAnswer, card: ToolCard): SessionState {
  const { tool, arguments: given, secrets, answer } = kept
  const changes = mayChange(card) && !answer.failed
  return {
    key: changes
      ? keyOfJson([
          key,
          tool,
          given,
          answer as unknown as JsonValue,
          ...(secrets === undefined ? [] : [secrets]),
        ])
      : key,
    history: [...withoutOldest(history), { tool, arguments: given, answer, changes }],
  }
}

/** Calls that are remembered: of more, the oldest that only read is forgotten first. */
const mostCalls = 1_000

function withoutOldest(history: readonly PastCall[]): readonly PastCall[] {
  if (history.length < mostCalls) return history
  const oldest = Math.max(
    0,
    history.findIndex(({ changes }) => !changes),
  )
  return history.filter((_, at) => at !== oldest)
}
