import { isIPv4 } from 'node:net'

/** Whether only this machine can reach what listens there. Other names may resolve to anything: they count as not. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'))
}

/** The host part of a `Host` header or an authority, or null when it is none. */
export function hostnameOf(authority: string): string | null {
  if (/[/\\?#@%\s]/.test(authority)) return null // a percent sign could spell any name
  try {
    return new URL(`http://${authority}`).hostname
  } catch {
    return null
  }
}
