import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { packageRoot } from '../../package-root.ts'
import { randomBytes } from 'node:crypto'

/** The files of the page, by their path. They hold no data: whoever opens them has still to prove that he may ask. */
const files: { readonly [path: string]: { readonly file: string; readonly type: string } } = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/page/app.js': { file: 'app.js', type: 'text/javascript; charset=utf-8' },
  '/page/app.css': { file: 'app.css', type: 'text/css; charset=utf-8' },
  '/page/icon.svg': { file: 'icon.svg', type: 'image/svg+xml' },
}

export const isPagePath = (path: string): boolean => Object.hasOwn(files, path)

/** Nothing from elsewhere, nothing to elsewhere, nothing around it, no markup made of text. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const headers = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-cache',
}

const known = new Map<string, Promise<{ readonly plain: Buffer; readonly zipped: Buffer }>>()

/** Sends one of them. @throws Error when the package was not built */
export async function sendPageFile(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { file, type } = files[path]!
  const reading = known.get(path) ?? read(file)
  known.set(path, reading)
  const { plain, zipped } = await reading
  const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const body = isZipped ? zipped : plain
  response.writeHead(200, {
    ...headers,
    'content-type': type,
    'content-length': body.length,
    vary: 'accept-encoding',
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

async function read(file: string) {
  const plain = await readFile(join(packageRoot, 'dist', 'page', file))
  return { plain, zipped: await promisify(gzip)(plain) }
}

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
