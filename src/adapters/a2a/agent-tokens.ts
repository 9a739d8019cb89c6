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
  const text = environment[variable]
  if (text === undefined || text.trim() === '') return undefined
  const token = tokensIn(text)[origin]
  if (token === undefined) return undefined
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw malformed()
}

function tokensIn(text: string): { readonly [origin: string]: unknown } {
  try {
    const tokens: unknown = JSON.parse(text)
    if (isJsonObject(tokens)) return tokens
  } catch {
    // the message of the parser would quote the text
  }
  throw malformed()
}

const malformed = (): RuntimeError =>
  new RuntimeError(
    `${variable} is no JSON object of origins and tokens`,
    `Write it as ${variable}='{"https://agent.example": "token"}'.`,
  )
