import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { serveHttp } from '../../src/server/serve-http.ts'
import { serveMetrics } from '../../src/server/transport/watched-http.ts'
import { currentWatcher } from '../../src/watching/watch.ts'
import { type MetricName, metrics as table } from '../../src/watching/metrics.ts'
import { fakeAudition } from '../fakes/fake-audition.ts'
import { readPrometheus } from '../fakes/prometheus-text.ts'
import { someCards } from '../fakes/some-cards.ts'
import { plain, searchCall } from '../server/eras.ts'
import { send } from '../server/send-http.ts'
import { metricNames, prometheusName } from './prometheus-name.ts'
import { watchedApp } from './watched.ts'

const get = (port: number, path: string, headers = {}) => send(port, { method: 'GET', path, headers })
const recorded = Object.entries(table).filter(([, { kind }]) => !['gauge', 'observedCounter'].includes(kind))

test('every metric of the table is told, under a name with its unit, and split by nothing else', async () => {
  const { metrics } = await watchedApp(fakeAudition(someCards))
  const watcher = currentWatcher()!
  for (const [name, { by }] of recorded)
    watcher.record(name as MetricName, 1, {
      ...Object.fromEntries(by.map((label) => [label, 'x"\\\n'])),
      'a.secret': 'of a caller',
    })
  const families = readPrometheus(await metrics())
  families.delete('target_info')
  const told = new Map(metricNames.map((name) => [prometheusName(name), table[name]]))
  // Without sources that were read there is no age, and a folder is seen at once.
  const absent = ['audition_index_age_seconds', 'audition_store_seen_seconds']
  expect([...families.keys(), ...absent].sort()).toEqual([...told.keys()].sort())
  for (const [name, { samples, help }] of families) {
    const { by, does } = told.get(name)!
    expect(help).toBe(does)
    const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)))
    labels.delete('le')
    expect([...labels].sort(), name).toEqual(by.map((label) => label.replaceAll('.', '_')).sort())
  }
})

test('the page lists every metric, its attributes and what it is', () => {
  const page = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('### Metrics')
  const rows = [...section.matchAll(/^\| `(\w+)` \| (\w+) \| (.*) \| (.+) \|$/gm)].map((row) =>
    row.slice(1, 5),
  )
  expect(rows).toEqual(
    metricNames.map((name) => {
      const { kind, by, does } = table[name]
      const type = { upDownCounter: 'gauge', observedCounter: 'counter' }[kind as string] ?? kind
      const labels = by.map((label) => `\`${label.replaceAll('.', '_')}\``).join(', ')
      return [prometheusName(name), type, labels, does]
    }),
  )
})

test('whatever callers send, there are no more series', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { app, metrics } = await watchedApp(fakeAudition(someCards))
  const { port, close } = await serveHttp(app, { port: 0, metrics })
  onTestFinished(close)
  const ask = async (word: string) => {
    await send(port, { body: JSON.stringify(plain(1, `a/${word}`, {})) })
    await send(port, { body: JSON.stringify(plain(1, 'tools/call', { name: word, arguments: {} })) })
    await send(port, { body: '{}', headers: { 'mcp-protocol-version': word } })
    await get(port, `/${word}`)
  }
  const count = async () =>
    [...readPrometheus((await get(port, '/metrics')).body).values()].flatMap((one) => one.samples).length
  await ask('first')
  await count()
  const before = await count()
  for (let at = 0; at < 20; at += 1) await ask(`word${at}`)
  expect(await count()).toBe(before)
})

test('metrics want the token that callers want, and are not there unless they are switched on', async () => {
  const { app, metrics } = await watchedApp(fakeAudition(someCards))
  const on = await serveHttp(app, { port: 0, token: 'secret', metrics })
  const off = await serveHttp(app, { port: 0 })
  onTestFinished(() => Promise.all([on.close(), off.close()]).then(() => {}))
  const headers = { authorization: 'Bearer secret' }
  await send(on.port, { body: JSON.stringify(plain(1, 'tools/call', searchCall)), headers })
  expect((await get(on.port, '/metrics')).status).toBe(401)
  expect((await get(on.port, '/metrics', { ...headers, origin: 'https://evil.example' })).status).toBe(403)
  expect((await send(on.port, { path: '/metrics', headers })).status).toBe(405)
  const { status, body, headers: answered } = await get(on.port, '/metrics', headers)
  expect(status).toBe(200)
  expect(answered['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const families = readPrometheus(body)
  const refused = families
    .get('http_server_request_duration_seconds')!
    .samples.filter(({ name, labels }) => name.endsWith('_count') && labels.http_route === '/metrics')
  expect(refused.map(({ labels, value }) => [labels.http_response_status_code, value])).toEqual([
    ['401', 1],
    ['403', 1],
    ['405', 1],
  ])
  expect(families.get('audition_search_duration_seconds')!.samples[0]).toMatchObject({
    name: 'audition_search_duration_seconds_count',
    value: 1,
    labels: { audition_search_kind: 'tool', audition_search_match: 'good' },
  })
  expect((await get(off.port, '/metrics')).status).toBe(404)
})

test('metrics at an address of their own want no token, and no page of a browser reads them', async () => {
  const { app, metrics } = await watchedApp(fakeAudition(someCards))
  const { port, close } = await serveMetrics(
    { host: '127.0.0.1', port: 0 },
    { metrics, ready: () => app.counts() },
  )
  onTestFinished(close)
  readPrometheus((await get(port, '/metrics')).body)
  expect((await get(port, '/health')).body).toBe('{"status":"ok"}')
  expect(JSON.parse((await get(port, '/ready')).body)).toMatchObject({ status: 'ready' })
  expect((await get(port, '/mcp')).status).toBe(404)
  expect((await send(port, { path: '/metrics' })).status).toBe(405)
  expect((await get(port, '/metrics', { origin: 'http://localhost:3000' })).status).toBe(403)
  expect((await get(port, '/metrics', { host: 'evil.example' })).status).toBe(403)
})

describe('/ready', () => {
  const answered = async (app: ReturnType<typeof fakeAudition>) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { port, close } = await serveHttp(app, { port: 0, token: 'secret' })
    onTestFinished(close)
    const { status, body } = await get(port, '/ready')
    return { status, body: JSON.parse(body) }
  }

  test('says which commit is searched, to anyone', async () => {
    const { status, body } = await answered(fakeAudition(someCards))
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ready', generation: 1, tools: 7, agents: 4 })
  })

  test('is 503 while nothing is indexed', async () => {
    expect(await answered(fakeAudition([], { empty: true }))).toEqual({
      status: 503,
      body: { status: 'not ready', why: 'nothing is indexed' },
    })
  })

  test('is 503 where the store cannot be read, and tells callers nothing more', async () => {
    const broken = {
      ...fakeAudition(someCards),
      counts: () => Promise.reject(new Error('/home/me/store is damaged')),
    }
    expect(await answered(broken)).toEqual({
      status: 503,
      body: { status: 'not ready', why: 'the store cannot be read' },
    })
  })
})

test('gauges of a store that cannot be read are left out, and the others are told', async () => {
  const broken = { ...fakeAudition(someCards), counts: () => Promise.reject(new Error('damaged')) }
  const { metrics } = await watchedApp(broken)
  const families = readPrometheus(await metrics())
  expect([...families.keys()]).toContain('process_memory_usage_bytes')
  expect(families.get('process_memory_usage_bytes')!.samples[0]!.value).toBeGreaterThan(1e6)
  expect([...families.keys()].filter((name) => name.startsWith('audition_'))).toEqual([])
})
