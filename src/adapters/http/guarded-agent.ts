import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { isInReach, plainHost, type Reach, refusedHost, whyRefused } from './reach.ts'

/** Resolves a name to all its addresses, as `dns.lookup` with `all` does. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Connections that go no further than `reach`. A name is resolved once for each connection, every address it has is checked, and
 * the connection is made to those very addresses: an answer that changes between two questions gains nothing. Connects directly:
 * HTTP_PROXY and its like are not read.
 */
export async function guardedAgent(reach: Reach, resolve: Resolve = systemLookup): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici')
  const options = { lookup: checkedLookup(reach, resolve) } as Parameters<typeof buildConnector>[0]
  const connect = buildConnector(options)
  return new Agent({
    connect(target, callback) {
      const host = plainHost(target.hostname)
      if (isIP(host) !== 0 && !isInReach(host, reach)) {
        callback(refusedHost(target.hostname, whyRefused(host, false)), null)
        return
      }
      connect(target, callback)
    },
  })
}

/** The lookup of one connection: all addresses of a name, or none when one of them is out of reach. */
export function checkedLookup(reach: Reach, resolve: Resolve = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    const wanted: LookupAllOptions = {
      all: true,
      ...(options.hints === undefined ? {} : { hints: options.hints }),
      ...(options.family === 4 || options.family === 6 ? { family: options.family } : {}),
    }
    resolve(hostname, wanted, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      const refused = addresses.find(({ address }) => !isInReach(address, reach))
      if (refused !== undefined)
        return callback(refusedHost(hostname, whyRefused(refused.address, true)), '', 0)
      const [first] = addresses
      if (first === undefined) {
        const missing = Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
        return callback(missing, '', 0)
      }
      if (options.all === true) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
}
