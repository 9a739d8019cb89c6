import type { Environment } from '../../domain/environment.ts'
import type { Card } from '../../domain/card.ts'
import { mask, maskSecrets } from '../../domain/text/secrets.ts'
import { RuntimeError } from '../../probing/ports.ts'
import { isJsonObject } from '../../domain/json.ts'

/** Where an A2A agent is, checked. */
export type AgentAddress = {
  readonly url: URL
  readonly binding: 'JSONRPC' | 'HTTP+JSON'
  /** What the SDK tells its two wire formats by. */
  readonly protocolVersion: '0.3' | '1.0'
  /** Whether the card says that the agent streams. */
  readonly streams: boolean
}

/**
 * Reads the address from a card.
 *
 * @throws RuntimeError when the agent cannot be reached over the web, or speaks no binding of ours
 */
export function agentAddress(card: Card): AgentAddress {
  const { runtime } = card
  if (runtime?.kind !== 'a2a') throw new RuntimeError(`${card.id} is no A2A agent`, indexAgain)
  const shown = maskSecrets(runtime.url)
  const url = URL.canParse(runtime.url) ? new URL(runtime.url) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RuntimeError(
      `${card.id}: "${shown}" is no address of the web`,
      'Correct "url" in its agent card: it starts with https:// or http://.',
    )
  }
  if (url.username !== '' || url.password !== '' || runtime.url.includes(mask)) {
    throw new RuntimeError(
      `${card.id}: its address holds credentials, which are never sent from a card`,
      'Take them out of "url" in its agent card, and set AUDITION_A2A_TOKENS.',
    )
  }
  const binding = runtime.binding.toUpperCase()
  if (binding !== 'JSONRPC' && binding !== 'HTTP+JSON') {
    throw new RuntimeError(
      `${card.id} speaks "${runtime.binding}" only; Audition speaks JSONRPC and HTTP+JSON`,
      'Ask its publisher for one of these, listed under "supportedInterfaces" or "additionalInterfaces".',
    )
  }
  return { url, binding, protocolVersion: wireVersion(runtime.protocolVersion), streams: streamsOf(card) }
}

const indexAgain = 'Index its source again.'

/** 0.2 and 0.3 share methods and shapes; 1.0 changed both. */
const wireVersion = (version: string): '0.3' | '1.0' => (/^v?0\./.test(version) ? '0.3' : '1.0')

function streamsOf(card: Card): boolean {
  if (card.kind !== 'agent') return false
  const { capabilities } = card.policy
  return typeof capabilities === 'object' && capabilities !== null && 'streaming' in capabilities
    ? capabilities.streaming === true
    : false
}

const variable = 'AUDITION_A2A_TOKENS'

/**
 * The bearer token for an agent, from `AUDITION_A2A_TOKENS`: a JSON object of origins and tokens, for example
 * `{"https://bakery.test": "..."}`. By origin, so that no token travels to another host, port or over plain HTTP.
 *
 * @throws RuntimeError when the variable is set and is no such object; it never repeats the value
 */
export function tokenFor({ origin }: URL, environment: Environment): string | undefined {
  const token = tokensIn(environment)[origin]
  if (token === undefined) return undefined
  if (isToken(token)) return token
  throw malformed()
}

/**
 * The origins that have tokens.
 *
 * @throws RuntimeError as {@link tokenFor}, and for an entry that no agent would get; it repeats neither side of that, since the
 *   two may have been swapped
 */
export function originsWithTokens(environment: Environment): readonly string[] {
  const entries = Object.entries(tokensIn(environment))
  const wrong = entries.findIndex(([origin, token]) => !isOrigin(origin) || !isToken(token))
  if (wrong >= 0) throw malformed(`entry ${wrong + 1} of ${variable} is no origin with a token`)
  return entries.map(([origin]) => origin)
}

const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

function tokensIn(environment: Environment): { readonly [origin: string]: unknown } {
  const text = environment[variable]
  if (text === undefined || text.trim() === '') return {}
  try {
    const tokens: unknown = JSON.parse(text)
    if (isJsonObject(tokens)) return tokens
  } catch {
    // the message of the parser would quote the text
  }
  throw malformed()
}

const malformed = (message = `${variable} is no JSON object of origins and tokens`): RuntimeError =>
  new RuntimeError(message, `Write it as ${variable}='{"https://agent.example": "token"}'.`)
