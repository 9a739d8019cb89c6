import { isJsonObject } from '../../domain/json.ts'
import { RuntimeError } from '../../probing/ports.ts'

/** Environment variables by name. */
export type Environment = { readonly [name: string]: string | undefined }

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
