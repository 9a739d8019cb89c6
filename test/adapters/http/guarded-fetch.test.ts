import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { httpGuard } from '../../../src/adapters/http/guarded-fetch.ts'
import { reachOf, RefusedRequestError } from '../../../src/adapters/http/reach.ts'

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const send = httpGuard().fetch('user')
const refusal = (answer: Promise<unknown>): Promise<RefusedRequestError> =>
  answer.then(
    () => Promise.reject(new Error('it was answered')),
    (error: unknown) => error as RefusedRequestError,
  )

describe('a response', () => {
  test('is one of the runtime, with its address, status, headers and body', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(418, 'Teapot', { 'x-kind': 'green', 'content-type': 'application/json' })
      response.end('{"tea":true}')
    })
    const response = await send(`${origin}/pot`)
    expect(response).toBeInstanceOf(Response)
    expect(response).toMatchObject({ status: 418, statusText: 'Teapot', ok: false, url: `${origin}/pot` })
    expect(response.headers.get('x-kind')).toBe('green')
    expect(await response.json()).toEqual({ tea: true })
  })

  test.each([204, 304])('may have no body: %i', async (status) => {
    const origin = await serve((_request, response) => void response.writeHead(status).end())
    expect(await send(origin)).toMatchObject({ status, body: null })
  })

  test('comes in pieces, as they are sent', async () => {
    const origin = await serve(async (_request, response) => {
      response.write('one')
      await once(response.req.socket, 'go')
      response.end('two')
    })
    const reader = (await send(origin)).body!.getReader()
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('one')
    await reader.cancel()
  })
})

describe('a request', () => {
  test('carries method, headers and body, of a Request too', async () => {
    const origin = await serve(async (request, response) => {
      const body = (await request.toArray()).join('')
      response.end(`${request.method} ${request.headers['x-a']} ${body}`)
    })
    const init = { method: 'PUT', headers: { 'x-a': 'b' }, body: 'some' }
    expect(await (await send(origin, init)).text()).toBe('PUT b some')
    expect(await (await send(new Request(origin, init))).text()).toBe('PUT b some')
    expect(await (await send(new URL(origin), init)).text()).toBe('PUT b some')
  })

  test('ends when its signal aborts, with the reason of the signal', async () => {
    const origin = await serve(() => {})
    const stop = new AbortController()
    const answer = send(origin, { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
  })
})

describe('redirects', () => {
  const redirect = (location: string) =>
    serve((request, response) => {
      if (request.url === '/end') return void response.end('end')
      response.writeHead(302, { location }).end()
    })

  test('are handed out, followed or an error, as is asked for', async () => {
    const origin = await redirect('/end')
    expect(await send(origin, { redirect: 'manual' })).toMatchObject({ status: 302 })
    expect(await (await send(origin)).text()).toBe('end')
    expect((await refusal(send(origin, { redirect: 'error' }))).message).toContain('redirects')
  })

  test('do not lead from the user’s own server to another private one', async () => {
    const other = await serve((_request, response) => void response.end('secret'))
    const error = await refusal(send(await redirect(other)))
    expect(error).toBeInstanceOf(RefusedRequestError)
    expect(error.message).toMatch(/^127\.0\.0\.1 is not contacted: it is an address of this machine/)
    expect(error.remedy).toContain('"privateHosts" in settings.yaml')
  })
})

test('no refusal repeats credentials of an address', async () => {
  const error = await refusal(httpGuard().fetch('card')('http://me:hunter2@example.com/?key=hunter2'))
  expect(error).toBeInstanceOf(RefusedRequestError)
  expect(`${error.message} ${error.remedy}`).not.toContain('hunter2')
})

describe('reach', () => {
  test.each<{ url: string; by: 'user' | 'card'; listed?: readonly string[]; reach: string }>([
    { url: 'https://api.example.com/', by: 'card', reach: 'public' },
    { url: 'https://api.example.com/', by: 'user', reach: 'public' },
    { url: 'http://127.0.0.1:7000/', by: 'user', reach: 'private' },
    { url: 'http://127.0.0.1:7000/', by: 'card', reach: 'public' },
    { url: 'http://localhost/', by: 'user', reach: 'private' },
    { url: 'http://nas.local/', by: 'user', reach: 'private' },
    { url: 'http://router/', by: 'user', reach: 'private' },
    { url: 'http://nas.local/', by: 'card', listed: ['nas.local'], reach: 'listed' },
    { url: 'http://NAS.local./', by: 'card', listed: ['nas.LOCAL'], reach: 'listed' },
    { url: 'http://nas.local:81/', by: 'card', listed: ['nas.local:80'], reach: 'public' },
    { url: 'https://nas.local/', by: 'card', listed: ['nas.local:443'], reach: 'listed' },
    { url: 'http://a.b.corp.example/', by: 'card', listed: ['*.corp.example'], reach: 'listed' },
    { url: 'http://evilcorp.example/', by: 'card', listed: ['*.corp.example'], reach: 'public' },
    { url: 'http://corp.example/', by: 'card', listed: ['*.corp.example'], reach: 'public' },
    { url: 'http://[fd00::1]:70/', by: 'card', listed: ['[fd00::1]:70'], reach: 'listed' },
    { url: 'http://[fd00::1]/', by: 'card', listed: ['fd00::1'], reach: 'listed' },
    { url: 'http://10.0.0.1/', by: 'card', listed: ['10.0.0.10'], reach: 'public' },
    {
      url: 'http://metadata.google.internal/',
      by: 'card',
      listed: ['metadata.google.internal'],
      reach: 'listed',
    },
  ])('$url by $by, listed $listed: $reach', ({ url, by, listed = [], reach }) => {
    expect(reachOf(new URL(url), by, listed)).toBe(reach)
  })
})
