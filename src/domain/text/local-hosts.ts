/** Endings of names that no public registry gives out, RFC 6761, RFC 8375, and what routers and offices use. */
const localEnding =
  /\.(?:localhost|local|internal|intranet|private|corp|lan|home|home\.arpa|localdomain|test)$/

/** Whether only a local network can know a name: one word, `.local`, `.internal` and their like. @param host - in small letters */
export const isLocalName = (host: string): boolean => !host.includes('.') || localEnding.test(`.${host}`)

/** Whether an address names a host that anybody can look up; a number is none. */
export function isPublicAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const host = new URL(address).hostname.replace(/\.$/, '')
  return !isLocalName(host) && !/^[\d.]+$/.test(host) && !host.startsWith('[')
}

/** A text in which addresses of the web that only a local network or this machine can know are told as such. */
export const withoutLocalAddresses = (text: string): string =>
  text.replace(/\bhttps?:\/\/[^\s"'`<>(){}]+/gi, (address) =>
    isPublicAddress(address) ? address : '(a private address)',
  )
