import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'

const root = '/page/report/'
/** How long an address holds, in milliseconds, and how many hold at once. */
const heldMs = 60_000
const most = 20

const pages = new Map<string, string>()

/** Puts a report at an address that nobody can guess, for whoever opens it first. A browser sends no token where it opens an address. */
export function shownOnce(html: string): string {
  const address = `${root}${randomBytes(24).toString('base64url')}`
  pages.set(address, html)
  setTimeout(() => pages.delete(address), heldMs).unref()
  if (pages.size > most) pages.delete(pages.keys().next().value ?? '')
  return address
}

export const isReportPath = (path: string): boolean => path.startsWith(root)

/** Sends it. Its scripts run apart from the page: they cannot ask in its name. @returns whether there is one at that address */
export function sendReport(path: string, response: ServerResponse): boolean {
  const html = pages.get(path)
  if (html === undefined) return false
  pages.delete(path)
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "sandbox allow-scripts allow-downloads; frame-ancestors 'self'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  response.end(html)
  return true
}
