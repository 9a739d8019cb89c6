import type { ServerResponse } from 'node:http'

/** Why a request is turned away: a status and words that tell nothing of the machine. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly headers?: { readonly [name: string]: string }
}

export const tooOften = (seconds: number): Refusal => ({
  status: 429,
  message: `Too many requests: try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  headers: { 'retry-after': String(seconds) },
})

/** Turns a request away, in the protocol's form. */
export function refused(response: ServerResponse, refusal: Refusal): void {
  for (const [name, value] of Object.entries(refusal.headers ?? {})) response.setHeader(name, value)
  json(response, refusal.status, errorBody(refusal))
}

/** The same as a response of the web. @param code - of JSON-RPC */
export const errorResponse = (refusal: Refusal, code?: number): Response =>
  Response.json(errorBody(refusal, code), {
    status: refusal.status,
    headers: { ...refusal.headers },
  })

const errorBody = ({ message }: Refusal, code = -32_000) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: null,
})

/** Answers with a JSON body. */
export const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
