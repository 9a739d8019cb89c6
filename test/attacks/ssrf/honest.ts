import type { LookupAddress } from 'node:dns'
import { type Resolve, checkedLookup, httpGuard } from '../../../src/adapters/http/guarded-fetch.ts'
import { reachOf } from '../../../src/adapters/http/reach.ts'
import { honestAnswers } from './dns-answers.ts'
import { redirecting } from './redirects.ts'
import { openServer } from './sentinel.ts'

/** A use that must work, and why it did not; null when it did. */
export type HonestCase = { readonly use: string; readonly fault: string | null }

/** Answers for every name as the map says; whatever is not in it does not exist. */
export const resolverOf =
  (names: { readonly [name: string]: readonly string[] }): Resolve =>
  (hostname, _options, callback) => {
    const found = names[hostname]
    if (found === undefined)
      return callback(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }), [])
    callback(null, found.map(asLookup))
  }

export const asLookup = (address: string): LookupAddress => ({
  address,
  family: address.includes(':') ? 6 : 4,
})

/** Every honest use, tried for real where it ends on this machine, and by decision where it would leave it. */
export async function honestCases(): Promise<readonly HonestCase[]> {
  return [...(await publicNames()), ...(await ownServers()), ...(await honestRedirects()), ...spellings()]
}

async function publicNames(): Promise<readonly HonestCase[]> {
  return Promise.all(
    honestAnswers.map(
      (addresses) =>
        new Promise<HonestCase>((resolve) => {
          const lookup = checkedLookup('public', (_name, _options, callback) =>
            callback(null, addresses.map(asLookup)),
          )
          lookup('api.example.com', { all: true }, (error, found) => {
            const kept = Array.isArray(found) ? found.map(({ address }) => address).join() : ''
            resolve({
              use: `a public name with ${addresses.join(', ')}`,
              fault: error === null && kept === addresses.join() ? null : String(error ?? kept),
            })
          })
        }),
    ),
  )
}

async function ownServers(): Promise<readonly HonestCase[]> {
  const server = await openServer((_request, response) => void response.end('mine'))
  const { port } = server
  const resolve = resolverOf({
    'nas.lan': ['127.0.0.1'],
    nas: ['127.0.0.1'],
    'tools.corp.example': ['127.0.0.1'],
    'a.team.example': ['127.0.0.1'],
    localhost: ['127.0.0.1'],
  })
  const listed = httpGuard({
    resolve,
    privateHosts: ['tools.corp.example', '*.team.example', `127.0.0.1:${port}`],
  })
  const plain = httpGuard({ resolve })
  const uses = [
    ['the user names 127.0.0.1', plain.fetch('user'), `http://127.0.0.1:${port}/`],
    ['the user names localhost', plain.fetch('user'), `http://localhost:${port}/`],
    ['the user names a mapped address', plain.fetch('user'), `http://[::ffff:127.0.0.1]:${port}/`],
    ['the user names a host of the local network', plain.fetch('user'), `http://nas.lan:${port}/`],
    ['the user names a host in one word', plain.fetch('user'), `http://nas:${port}/`],
    ['a card names a listed host', listed.fetch('card'), `http://tools.corp.example:${port}/`],
    ['a card names a host below a listed domain', listed.fetch('card'), `http://a.team.example:${port}/`],
    ['a card names a listed address and port', listed.fetch('card'), `http://127.0.0.1:${port}/`],
    ['the user names a listed public name', listed.fetch('user'), `http://tools.corp.example:${port}/`],
  ] as const
  try {
    return await Promise.all(
      uses.map(async ([use, fetch, url]) => ({ use, fault: await faultOf(fetch(url), 'mine') })),
    )
  } finally {
    await server.close()
  }
}

async function honestRedirects(): Promise<readonly HonestCase[]> {
  const chains = [
    ['one hop at its origin', [[302, '/elsewhere']], 'GET'],
    ['five hops at its origin', Array.from({ length: 5 }, (_, hop) => [307, `/${hop}`] as const), 'GET'],
    ['a POST that stays at its origin', [[308, '/moved']], 'POST'],
    ['a POST that becomes a GET', [[303, '/done']], 'POST'],
  ] as const
  return Promise.all(
    chains.map(async ([use, hops, method]) => {
      const server = await openServer(redirecting({ trick: use, hops }, 0))
      try {
        const init = { method, ...(method === 'POST' ? { body: 'x' } : {}) }
        const response = httpGuard().fetch('user')(`http://127.0.0.1:${server.port}/`, init)
        return { use: `redirect: ${use}`, fault: await faultOf(response, 'arrived') }
      } finally {
        await server.close()
      }
    }),
  )
}

/** Addresses that look odd and are fine: the decision alone. */
function spellings(): readonly HonestCase[] {
  const fine = [
    'https://api.example.com/v1?to=http://127.0.0.1/#x',
    'https://127.0.0.1.example.com/',
    'https://localhost.example.com/',
    'https://münchen.example/',
    'https://xn--mnchen-3ya.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'http://example.com:8080/',
    'https://internal.example.com/',
  ]
  return fine.map((url) => {
    const reach = reachOf(new URL(url), 'card', [])
    return { use: url, fault: reach === 'public' ? null : `reach ${reach}` }
  })
}

async function faultOf(answer: Promise<Response>, wanted: string): Promise<string | null> {
  try {
    const text = await (await answer).text()
    return text === wanted ? null : `answered ${text}`
  } catch (error) {
    return String(error)
  }
}
