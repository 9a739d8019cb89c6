import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { endpoints } from '../../src/server/api/endpoints.ts'
import { type HttpOptions, type HttpServing, serveHttp } from '../../src/server/serve-http.ts'
import { type FakeOptions, fakeAudition } from '../fakes/fake-audition.ts'
import { someCards } from '../fakes/some-cards.ts'
import { send } from './send-http.ts'

const servings: HttpServing[] = []
afterEach(async () => {
  await Promise.all(servings.splice(0).map((serving) => serving.close()))
  vi.restoreAllMocks()
})

const token = 'a-token-of-the-test'
const bearer = { authorization: `Bearer ${token}` }
const owner: HttpOptions = { token, page: { role: 'owner' } }

async function serving(options: HttpOptions = {}, fake: FakeOptions = {}): Promise<HttpServing> {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const served = await serveHttp(fakeAudition(someCards, fake), { port: 0, ...options })
  servings.push(served)
  return served
}

const names = Object.keys(endpoints) as (keyof typeof endpoints)[]
const told = (body: string) =>
  JSON.parse(body) as { error?: { message: string; remedy?: string }; [name: string]: unknown }

describe('every endpoint', () => {
  test.each(names)('%s asks for the token', async (name) => {
    const { port } = await serving(owner)
    const { status } = await send(port, { path: `/api/v1/${name}`, body: '{}' })
    expect(status).toBe(401)
  })

  test.each(names)('%s is closed to pages of other origins, with the token too', async (name) => {
    const { port } = await serving(owner)
    for (const foreign of [
      { origin: 'https://evil.example' },
      { origin: `http://localhost:1` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { host: 'evil.example' },
    ]) {
      const { status } = await send(port, {
        path: `/api/v1/${name}`,
        headers: { ...bearer, ...foreign },
        body: '{}',
      })
      expect(status, JSON.stringify(foreign)).toBe(403)
    }
  })

  test.each(names)('%s says which field does not fit, and what it takes', async (name) => {
    const { port } = await serving(owner)
    const sent = { path: `/api/v1/${name}`, headers: bearer, body: '{"nonsense": 1}' }
    const { status, body } = await send(port, sent)
    expect(status).toBe(400)
    expect(told(body).error?.message).not.toBe('')
    expect(told(body).error?.remedy).toMatch(/^It takes/)
  })

  const changing = names.filter((name) => endpoints[name].effect === 'changes')
  test.each(changing)(
    '%s changes nothing by GET, nor by a body that does not say it is JSON',
    async (name) => {
      const { port } = await serving(owner)
      const path = `/api/v1/${name}`
      expect((await send(port, { method: 'GET', path, headers: bearer })).status).toBe(405)
      const form = { ...bearer, 'content-type': 'text/plain' }
      expect((await send(port, { path, headers: form, body: '{}' })).status).toBe(415)
    },
  )

  const owners = names.filter((name) => 'who' in endpoints[name])
  test.each(owners)('%s is for the owner alone', async (name) => {
    const { port } = await serving({ token })
    const { status, body } = await send(port, { path: `/api/v1/${name}`, headers: bearer, body: '{}' })
    expect(status).toBe(403)
    expect(told(body).error?.remedy).toContain('audition ui')
  })

  test('docs/page.md lists them', () => {
    const page = readFileSync(join(resolve(import.meta.dirname, '..', '..'), 'docs', 'page.md'), 'utf8')
    const rows = names.map((name) => {
      const { effect, does } = endpoints[name]
      return `| \`${name}\` | ${effect} | ${'who' in endpoints[name] ? 'owner' : 'callers'} | ${does.replaceAll('|', '\\|')} |`
    })
    const missing = rows.filter((row) => !page.includes(row))
    expect(missing, 'put these rows into the table of docs/page.md').toEqual([])
    expect(page.match(/^\| `\w+` \|/gm)).toHaveLength(names.length)
  })
})

describe('who asks', () => {
  test('the page of this server may ask, by its own origin', async () => {
    const { port } = await serving(owner)
    const own = {
      origin: `http://127.0.0.1:${port}`,
      'sec-fetch-site': 'same-origin',
      host: `127.0.0.1:${port}`,
    }
    const { status } = await send(port, {
      path: '/api/v1/session',
      headers: { ...bearer, ...own },
      body: '{}',
    })
    expect(status).toBe(200)
  })

  test.each([
    ['a page of elsewhere', {}, { origin: 'https://evil.example' }, 403],
    ['another Host', {}, { host: 'evil.example' }, 403],
    ['two tokens', {}, { authorization: [bearer.authorization, 'Bearer other'] }, 400],
    ['no token', {}, { authorization: '' }, 401],
    ['too many at once', { mostRequests: 0 }, {}, 503],
    ['the second in a minute', { requestsPerMinute: 1 }, {}, 429],
  ] as const)('%s is told of in the form of the API', async (_, options, headers, wanted) => {
    const { port } = await serving({ ...owner, ...options })
    const asked = { path: '/api/v1/session', headers: { ...bearer, ...headers }, body: '{}' }
    if (wanted === 429) await send(port, asked)
    const { status, body } = await send(port, asked)
    expect({ status, body: told(body) }).toEqual({
      status: wanted,
      body: { error: { message: expect.stringMatching(/.{10}/) } },
    })
  })

  test('a report that was opened already says so in plain words', async () => {
    const { port } = await serving(owner)
    const { status, headers, body } = await send(port, { method: 'GET', path: '/page/report/gone' })
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 404,
      type: 'text/plain; charset=utf-8',
    })
    expect(body).toMatch(/^This report was opened already/)
  })

  test('the MCP endpoint stays closed to it', async () => {
    const { port } = await serving()
    const own = { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` }
    expect((await send(port, { headers: own, body: '{}' })).status).toBe(403)
  })

  test('a ticket is taken once', async () => {
    let left = 'ticket'
    const enter = (given: string) => {
      const isRight = given === left
      left = 'another'
      return isRight ? token : null
    }
    const { port } = await serving({ token, page: { role: 'owner', enter } })
    const asked = { path: '/api/v1/enter', headers: { 'audition-ticket': 'ticket' } }
    expect(told((await send(port, asked)).body)).toEqual({ token })
    expect((await send(port, asked)).status).toBe(403)
  })

  test('where an address gives the token, a wrong one is told so', async () => {
    const { port } = await serving({ token, page: { role: 'owner', enter: () => null } })
    const { status, body, headers } = await send(port, { path: '/api/v1/session', body: '{}' })
    expect(status).toBe(401)
    expect(told(body).error?.message).toContain('Open the newest address')
    expect(headers['www-authenticate']).toBe('Bearer realm="audition ui"')
  })

  test('callers are told of no folder of this machine, the owner is', async () => {
    const path = '/api/v1/card?id=weather%2Fforecast'
    const caller = await serving({ token })
    const asCaller = await send(caller.port, { method: 'GET', path, headers: bearer })
    expect(asCaller.body).not.toContain('/home/someone')
    const mine = await serving(owner)
    expect((await send(mine.port, { method: 'GET', path, headers: bearer })).body).toContain('/home/someone')
  })
})

describe('answers', () => {
  test('a source is told with its cards, to callers without folders; one that is not there is said so', async () => {
    const { port } = await serving({ token })
    const ask = (id: string) =>
      send(port, { method: 'GET', path: `/api/v1/source?id=${id}&most=1`, headers: bearer })
    const { status, body } = await ask('weather')
    expect(status).toBe(200)
    expect(told(body)).toMatchObject({
      id: 'weather',
      problems: [],
      problemCount: 0,
      location: 'weather.json',
    })
    const { cards, cardCount } = told(body) as unknown as { cards: { id: string }[]; cardCount: number }
    expect(cards).toHaveLength(1)
    expect(cards[0]?.id).toMatch(/^weather\//)
    expect(cardCount).toBeGreaterThanOrEqual(1)
    expect((await ask('nowhere')).status).toBe(404)
  })

  test('a search by address and one by body say the same', async () => {
    const { port } = await serving()
    const byAddress = await send(port, { method: 'GET', path: '/api/v1/search?query=weather+forecast&k=2' })
    const byBody = await send(port, { path: '/api/v1/search', body: '{"query": "weather forecast", "k": 2}' })
    const { ms: _a, ...first } = told(byAddress.body)
    const { ms: _b, ...second } = told(byBody.body)
    expect(first).toMatchObject({ match: 'good', candidates: [{ id: 'weather/forecast' }, {}] })
    expect(first).toEqual(second)
  })

  test.each([
    ['card?id=', '"id" is empty.'],
    ['card', '"id" is missing.'],
    ['card?id=a&host=netscape', /^"host" is none of: .*claude-code/],
    ['card?id=a&colour=red', 'Nothing is called colour here.'],
  ])('%s is told in a sentence', async (path, sentence) => {
    const { port } = await serving()
    const { status, body } = await send(port, { method: 'GET', path: `/api/v1/${path}` })
    expect(status).toBe(400)
    expect(told(body).error?.message).toMatch(sentence)
  })

  test.each([
    ['[1]', 'The request has to be a JSON object, such as {"city": "Oslo"}.'],
    ['{"query": 3}', '"query" has to be a text.'],
    ['{"query": "x", "k": "two"}', '"k" has to be a number.'],
  ])('what JSON has to stand in place of %s is told in plain words', async (given, sentence) => {
    const { port } = await serving()
    const { status, body } = await send(port, { path: '/api/v1/search', body: given })
    expect(status).toBe(400)
    expect(told(body).error?.message).toBe(sentence)
  })

  test('an unknown card is told with those like it', async () => {
    const { port } = await serving()
    const { status, body } = await send(port, { method: 'GET', path: '/api/v1/card?id=weather%2Fforecasts' })
    expect(status).toBe(404)
    expect(told(body).error?.remedy).toContain('weather/forecast')
  })

  test('an empty store is told as such, and the session says so without failing', async () => {
    const { port } = await serving({}, { empty: true })
    const search = await send(port, { method: 'GET', path: '/api/v1/search?query=x' })
    expect({ status: search.status, ...told(search.body) }).toMatchObject({
      status: 409,
      error: { isEmpty: true },
    })
    expect(told((await send(port, { method: 'GET', path: '/api/v1/session' })).body)).toMatchObject({
      counts: null,
    })
  })

  test('what there is is listed with its schema', async () => {
    const { port } = await serving()
    const listed = told((await send(port, { method: 'GET', path: '/api/v1' })).body)
    expect(listed).toMatchObject({ version: 1, endpoints: expect.any(Array) })
    expect(listed.endpoints).toMatchObject(names.map((name) => ({ name, path: `/api/v1/${name}` })))
    expect((await send(port, { method: 'GET', path: '/api/v1/nothing' })).status).toBe(404)
    expect((await send(port, { method: 'GET', path: '/api/v2/search' })).status).toBe(404)
  })

  test('what fails inside is told in a sentence', async () => {
    const { port } = await serving({}, { failure: new Error('the disk is full\n  at somewhere') })
    const { status, body } = await send(port, { method: 'GET', path: '/api/v1/search?query=x' })
    expect({ status, body: told(body) }).toEqual({
      status: 500,
      body: { error: { message: 'the disk is full.' } },
    })
  })
})

describe('the files of the page', () => {
  test.each(['/', '/page/app.js', '/page/app.css', '/page/icon.svg'])(
    '%s is open, and may load nothing from elsewhere',
    async (path) => {
      const { port } = await serving({ token })
      const { status, headers, body } = await send(port, { method: 'GET', path })
      expect(status).toBe(200)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(body.length).toBeGreaterThan(100)
    },
  )
})
