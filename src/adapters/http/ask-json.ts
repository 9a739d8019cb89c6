import type { Bounds } from '../../domain/bounds.ts'
import type { JsonObject } from '../../domain/json.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'

/** A request to a service; without a body it only looks. */
type Question = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject | undefined
}

/** How the caller tells what went wrong. */
type Telling = {
  readonly bounds: Bounds
  readonly failures: {
    ofStatus(host: string, status: number): Error
    ofAnswer(host: string, what: string, cause?: unknown): Error
    ofBroken(host: string, cause: unknown): Error
  }
}

/** Asks a service that speaks JSON. @throws what `failures` makes; what the network throws */
export async function askJson(
  send: typeof globalThis.fetch,
  { url, headers, body }: Question,
  { bounds, failures }: Telling,
): Promise<unknown> {
  const { host } = new URL(url)
  const response = await send(url, {
    headers: { 'content-type': 'application/json', ...headers },
    signal: bounds.signal,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw failures.ofStatus(host, response.status)
  }
  try {
    return JSON.parse(await boundedText(response, bounds))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw failures.ofAnswer(host, 'it is no whole JSON document', new SyntaxError())
    throw bounds.stoppedBy() === undefined ? failures.ofBroken(host, error) : error
  }
}

export const bearer = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

/** Whether a line names an address that requests may go to. Keys stand in a variable of their own, never in the address. */
export function isWebAddress(address: string): boolean {
  if (!URL.canParse(address) || /\s/.test(address)) return false
  const { protocol, username, password } = new URL(address)
  return /^https?:$/.test(protocol) && username + password === ''
}

/** A setting that takes `<kind><address or name>#<model>`. */
type PlaceOwner = { readonly variable: string; readonly kind: string; readonly names: readonly string[] }

/** Why a line names no service. It repeats no credentials. */
export function unusablePlace(place: string, { variable, kind, names }: PlaceOwner): string {
  if (place === '') return `${variable} names no address after "${kind}".`
  if (place.includes('@')) return `${variable} has an address with a user or a password in it.`
  return isWebAddress(place) || names.includes(place)
    ? `${variable} names no model, or more than one, after "${kind}${maskSecrets(place)}".`
    : `${variable} is "${kind}${maskSecrets(place)}", which is neither an http address nor one of ${names.join(', ')}.`
}

/** The body of an answer, as far as the bounds let it come. @throws what ends the bounds */
export async function boundedText(response: Response, { countBytes, signal }: Bounds): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body ?? []) {
    countBytes(chunk.byteLength)
    signal.throwIfAborted()
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
