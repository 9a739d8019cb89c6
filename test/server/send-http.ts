import { request } from 'node:http'

/** What came back. */
export type Reply = {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}
/** What is sent; a POST to `/mcp` of JSON unless it says otherwise. */
export type Sent = {
  readonly method?: string
  readonly path?: string
  readonly headers?: { readonly [name: string]: string | readonly string[] }
  readonly body?: string
}

/** A request by hand: `fetch` would not send a foreign Host. */
export function send(
  port: number,
  { method = 'POST', path = '/mcp', headers = {}, body = '' }: Sent,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { ...usual, ...headers } },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Headers of every client. */
export const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** The JSON-RPC message of a reply, which may be an event stream. */
export function messageOf({ body }: Reply): {
  result?: Record<string, unknown>
  error?: { code: number; message: string }
} {
  const data = body.split('\n').find((one) => one.startsWith('data: {'))
  return JSON.parse(data === undefined ? body : data.slice('data: '.length))
}
