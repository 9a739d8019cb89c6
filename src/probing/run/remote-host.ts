import { isIPv4 } from 'node:net'

/** The host and port that a request leaves this machine for; null on loopback. */
export function remoteHost({ hostname, host }: URL): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const isLoopback = bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
  return isLoopback ? null : host
}
