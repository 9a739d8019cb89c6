import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AgentFailure, type BoundedRun, boundedExecution } from '../../src/probing/run/bounded-execution.ts'
import { httpGuard } from '../../src/adapters/http/guarded-fetch.ts'
import { UnreachableError, boundedFetch, remoteHost } from '../../src/probing/run/bounded-fetch.ts'
import { unusedOrigin } from '../fakes/unused-origin.ts'
import { defaultLimits, RuntimeError } from '../../src/probing/ports.ts'

const never = () => new AbortController().signal
const run = (
  work: (run: BoundedRun) => Promise<{ text: string }>,
  { limits = {}, signal = never(), secrets = [] as string[] } = {},
) => boundedExecution({ limits: { ...defaultLimits, ...limits }, signal, secrets }, work)

/** Work that ends only when it is told to. */
const untilStopped = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

describe('boundedExecution', () => {
  test.each([
    {
      why: 'it answers',
      work: async () => ({ text: 'yes' }),
      end: { ending: 'answered', answer: 'yes', failure: null },
    },
    {
      why: 'it says that it failed',
      work: async () => Promise.reject(new AgentFailure('no flour')),
      end: { ending: 'failed', answer: '', failure: 'no flour' },
    },
    {
      why: 'it throws no error at all',
      work: async () => Promise.reject('odd'),
      end: { ending: 'failed', failure: 'odd' },
    },
    {
      why: 'it sends too much',
      limits: { outputBytes: 1_000 },
      work: async ({ countBytes, signal }: BoundedRun) => {
        countBytes(1_001)
        return untilStopped(signal)
      },
      end: { ending: 'limit', failure: 'it sent more than 1,000 bytes', outputBytes: 1_001 },
    },
    {
      why: 'it answers after it was stopped',
      work: async ({ stopAtLimit }: BoundedRun) => {
        stopAtLimit('it took more than 3 turns')
        return { text: 'late' }
      },
      end: { ending: 'limit', answer: '', failure: 'it took more than 3 turns' },
    },
    {
      why: 'it takes too long',
      limits: { seconds: 0.05 },
      work: async ({ signal }: BoundedRun) => untilStopped(signal),
      end: { ending: 'limit', failure: 'it did not answer within 0.05 s' },
    },
  ])('ends as $end.ending when $why', async ({ work, limits, end }) => {
    expect(await run(work, limits === undefined ? {} : { limits })).toMatchObject(end)
  })

  test('exactly as many bytes as allowed are not too many', async () => {
    const work = async ({ countBytes }: BoundedRun) => {
      countBytes(1_000)
      return { text: 'x' }
    }
    expect(await run(work, { limits: { outputBytes: 1_000 } })).toMatchObject({ ending: 'answered' })
  })

  test('an error about how things stand is passed on, but not once it was stopped', async () => {
    const error = new RuntimeError('no key', 'Set one.')
    await expect(run(() => Promise.reject(error))).rejects.toBe(error)
    const work = ({ stopAtLimit }: BoundedRun) => {
      stopAtLimit('enough')
      return Promise.reject(error)
    }
    expect(await run(work)).toMatchObject({ ending: 'limit', failure: 'enough' })
  })

  test('the first reason to stop is the one that is told', async () => {
    const controller = new AbortController()
    const work = async ({ stopAtLimit, signal }: BoundedRun) => {
      stopAtLimit('too many')
      controller.abort(new Error('enough'))
      return untilStopped(signal)
    }
    expect(await run(work, { signal: controller.signal })).toMatchObject({
      ending: 'limit',
      failure: 'too many',
    })
  })

  test('usage is summed, and unknown where nobody told it', async () => {
    const counted = await run(async ({ countTokens, countCost }) => {
      countTokens(10, 2)
      countTokens(5, 1)
      countCost(0.25)
      return { text: 'x' }
    })
    expect(counted).toMatchObject({ tokens: { input: 15, output: 3 }, cost: 0.25 })
    expect(await run(async () => ({ text: 'x' }))).toMatchObject({ tokens: null, cost: null })
  })

  test('secrets are masked in answer, structure, failure and transcript, and what is no JSON is dropped', async () => {
    const secrets = ['tok-99887766']
    const execution = await boundedExecution(
      { limits: defaultLimits, signal: never(), secrets },
      async ({ tell }) => {
        tell({ kind: 'tool-call', tool: 't', arguments: { key: 'tok-99887766', none: undefined } as never })
        return { text: 'It is tok-99887766.', structured: { 'tok-99887766': [Number.NaN, -0] } }
      },
    )
    expect(JSON.stringify(execution)).not.toContain('99887766')
    expect(JSON.parse(JSON.stringify(execution))).toEqual(execution)
    expect(execution).toMatchObject({ answer: 'It is ***.', structured: { '***': [null, 0] } })
    const failed = await run(() => Promise.reject(new Error('tok-99887766 is wrong')), { secrets })
    expect(failed.failure).toBe('*** is wrong')
  })

  test('what is told after the end is not part of it', async () => {
    let late = () => {}
    const execution = await run(async ({ tell }) => {
      late = () => tell({ kind: 'status', text: 'late' })
      return { text: 'x' }
    })
    late()
    expect(execution.transcript).toEqual([])
  })
})

describe('boundedFetch', () => {
  const send = httpGuard().fetch('user')
  const serve = async (answer: RequestListener) => {
    const server = createServer(answer)
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('counts what comes back and adds headers that are not there', async () => {
    const origin = await serve((request, response) => response.end(JSON.stringify(request.headers)))
    let bytes = 0
    const fetch = boundedFetch(send, (count) => (bytes += count), { 'x-a': 'ours', 'x-b': 'ours' })
    const text = await (await fetch(origin, { headers: { 'x-b': 'theirs' } })).text()
    expect(JSON.parse(text)).toMatchObject({ 'x-a': 'ours', 'x-b': 'theirs' })
    expect(bytes).toBe(Buffer.byteLength(text))
  })

  test('says of an address where nothing listens that it is not there', async () => {
    const origin = await unusedOrigin()
    const attempt = boundedFetch(send, () => {})(origin)
    await expect(attempt).rejects.toThrow(UnreachableError)
    await expect(attempt).rejects.toThrow(`${origin} (ECONNREFUSED)`)
  })

  test.each([
    { why: 'elsewhere', status: 307, location: 'http://127.0.0.1:1/', says: 'another host' },
    { why: 'to no address', status: 307, location: 'http://', says: 'another host' },
    { why: 'without what was sent', status: 302, location: '/next', says: '302' },
    { why: 'in a circle', status: 308, location: '/', says: 'more than 5 times' },
  ])('refuses a redirect $why', async ({ status, location, says }) => {
    const origin = await serve((_, response) => response.writeHead(status, { location }).end())
    await expect(boundedFetch(send, () => {})(origin, { method: 'POST', body: 'x' })).rejects.toThrow(says)
  })
})

test.each([
  { url: 'https://a.test/', host: 'a.test' },
  { url: 'https://a.test:8443/', host: 'a.test:8443' },
  { url: 'http://127.0.0.53:80/', host: null },
  { url: 'http://[::1]/', host: null },
  { url: 'http://LOCALHOST:1/', host: null },
  { url: 'http://127.evil.test/', host: '127.evil.test' },
])('$url leaves this machine for $host', ({ url, host }) => {
  expect(remoteHost(new URL(url))).toBe(host)
})
