import { type HttpGuard, type Resolve, httpGuard } from '../../../src/adapters/http/guarded-fetch.ts'
import { type NamedBy, RefusedRequestError } from '../../../src/adapters/http/reach.ts'
import { hostileNames } from './dns-answers.ts'
import { hostileUrls } from './hostile-urls.ts'
import { asLookup } from './honest.ts'
import { hostileRedirects, redirecting } from './redirects.ts'
import { openSentinel, openServer, type Sentinel } from './sentinel.ts'

/** What came of the attacks of one sort. */
export type AttackReport = {
  readonly sort: string
  readonly attacks: number
  /** Connections that reached the listener inside when a plain `fetch` made the requests. */
  readonly reachedPlain: number
  readonly reached: number
  /** Refused in words of ours, with a remedy. */
  readonly refused: number
  /** What got an answer although it must not, or failed in another way. */
  readonly faults: readonly string[]
}

const patienceMs = 5_000

/** Sorts of addresses that all lead to this machine or nowhere. */
const staysOnThisMachine: ReadonlySet<string> = new Set(['this machine, plainly', 'odd notations of IPv4'])

type Attempt = 'refused' | 'unparsable' | { readonly fault: string }

async function attempt(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit = {},
): Promise<Attempt> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) })
    return { fault: `answered ${response.status}: ${(await response.text()).slice(0, 40)}` }
  } catch (error) {
    if (error instanceof RefusedRequestError) return error.remedy === '' ? { fault: 'no remedy' } : 'refused'
    return { fault: String(error instanceof Error ? (error.cause ?? error) : error) }
  }
}

/** All attacks that name an address outright, by a card and, those that no user may name either, by the user. */
export async function attackByUrl(): Promise<readonly AttackReport[]> {
  const reports: AttackReport[] = []
  for (const [sort, templates] of Object.entries(hostileUrls)) {
    const sentinel = await openSentinel()
    try {
      const urls = templates.map((url) => url.replace('PORT', String(sentinel.port)))
      const ofUser = sort === 'metadata of clouds' || sort === 'no address of a server'
      const guard = httpGuard()
      const fetches = (ofUser ? (['card', 'user'] as const) : (['card'] as const)).map((by) =>
        guard.fetch(by),
      )
      const attempts = await Promise.all(
        fetches.flatMap((fetch) => urls.map(async (url) => ({ url, end: await attempt(fetch, url) }))),
      )
      const reached = sentinel.connections()
      const plain = staysOnThisMachine.has(sort) ? urls : [] // a plain fetch would ask the others for real
      await Promise.all(plain.map((url) => attempt(globalThis.fetch, url)))
      reports.push(reportOf(sort, attempts, reached, sentinel.connections() - reached))
    } finally {
      await sentinel.close()
    }
  }
  return reports
}

/** Public names of an attacker whose resolver answers as it likes; asked until its last answer has come. */
export async function attackByName(namedBy: NamedBy): Promise<AttackReport> {
  const sentinel = await openSentinel()
  const attempts: { readonly url: string; readonly end: Attempt }[] = []
  try {
    for (const { trick, answers } of hostileNames) {
      let asked = answers.length - 1 // what is public would leave this machine: the last answer is what matters here
      const guard = httpGuard({
        resolve: (_name, _options, callback) =>
          callback(null, (answers[Math.min(asked++, answers.length - 1)] ?? []).map(asLookup)),
      })
      const end = await attempt(guard.fetch(namedBy), `http://cdn.attacker.example:${sentinel.port}/`)
      const isEmpty = trick === 'empty answer' && typeof end === 'object' && /no address/.test(end.fault)
      attempts.push({ url: trick, end: isEmpty ? 'unparsable' : end })
    }
    return reportOf(`names that lead inside, named by the ${namedBy}`, attempts, sentinel.connections(), 0)
  } finally {
    await sentinel.close()
  }
}

/** Redirects of a server that may be asked: one that the user named, and one that is listed. */
export async function attackByRedirect(): Promise<readonly AttackReport[]> {
  const byUser = await redirectsFrom('of a server that the user named', (port) => ({
    guard: httpGuard({ resolve: toLoopback }),
    namedBy: 'user',
    url: `http://127.0.0.1:${port}/`,
  }))
  const byCard = await redirectsFrom('of a listed server that a card named', (port) => ({
    guard: httpGuard({
      privateHosts: [`tools.example:${port}`],
      resolve: toLoopback,
    }),
    namedBy: 'card',
    url: `http://tools.example:${port}/`,
  }))
  return [byUser, byCard]
}

const toLoopback: Resolve = (_name, _options, callback) => callback(null, [asLookup('127.0.0.1')])

type Start = { readonly guard: HttpGuard; readonly namedBy: NamedBy; readonly url: string }

async function redirectsFrom(sort: string, startAt: (port: number) => Start): Promise<AttackReport> {
  const sentinel: Sentinel = await openSentinel()
  const attempts: { readonly url: string; readonly end: Attempt }[] = []
  let plain = 0
  try {
    for (const redirect of hostileRedirects) {
      const init = redirect.method === 'POST' ? { method: 'POST', body: 'a secret' } : {}
      const server = await openServer(redirecting(redirect, sentinel.port))
      const { guard, namedBy, url } = startAt(server.port)
      attempts.push({ url: redirect.trick, end: await attempt(guard.fetch(namedBy), url, init) })
      await server.close()
      const again = await openServer(redirecting(redirect, sentinel.port))
      const before = sentinel.connections()
      await attempt(globalThis.fetch, `http://127.0.0.1:${again.port}/`, init)
      plain += sentinel.connections() - before
      await again.close()
    }
    return reportOf(`redirects ${sort}`, attempts, sentinel.connections() - plain, plain)
  } finally {
    await sentinel.close()
  }
}

function reportOf(
  sort: string,
  attempts: readonly { readonly url: string; readonly end: Attempt }[],
  reached: number,
  reachedPlain: number,
): AttackReport {
  const faults = attempts.flatMap(({ url, end }) => (typeof end === 'object' ? [`${url}: ${end.fault}`] : []))
  const refused = attempts.filter(({ end }) => end === 'refused').length
  return { sort, attacks: attempts.length, reachedPlain, reached, refused, faults }
}
