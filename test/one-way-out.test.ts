import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../src')

/** Ways to the network that pass no guard, by what they look like in code without comments and texts. */
const unguarded: { readonly [way: string]: RegExp } = {
  'a call of fetch': /(?<![.\w])fetch\s*\(/,
  'fetch as a value': /(?:\?\?|\|\||[=(,:]|=>)\s*(?:globalThis\.)?fetch\s*(?:[,;)\n]|$)/,
  'the global fetch': /(?<!typeof )globalThis\s*(?:\.\s*fetch|\[)/,
  'a client of node': /\b(?:https?2?|net|tls|dgram)\.(?:request|get|connect|createConnection|createSocket)\b/,
  'a socket of the web': /\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/,
}

/** Names that may be taken from modules of the network elsewhere than in the guard: types, servers and questions of form. */
const harmless = new Set(['createServer', 'isIP', 'isIPv4', 'isIPv6', 'STATUS_CODES'])

/** A file that is given a fetch may hand it on. */
const givenFetch = /\bfetch\??: typeof globalThis\.fetch|\(fetch\) =>/

const bare = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(?<=^|\s)\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")

function complaints(file: string, text: string): readonly string[] {
  // The page runs in a browser, which asks where the page came from and nobody else: its content security policy.
  if (file.startsWith('adapters/http/') || file.startsWith('page/')) return []
  const code = bare(text)
  const isGiven = givenFetch.test(code)
  const ways = Object.entries(unguarded)
    .filter(([way, pattern]) => pattern.test(code) && !(isGiven && way === 'fetch as a value'))
    .map(([way]) => way)
  const imports = [
    ...text.matchAll(
      /^import (?!type)([^'"]*?)\s*from '(?:node:(?:https?2?|net|tls|dgram|http2)|undici(?:\/[^']*)?)'/gms,
    ),
  ]
  const taken = imports.flatMap(([, names = '']) =>
    names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(/\s+as\s+/)[0]!),
  )
  const clients = taken.filter((name) => !harmless.has(name)).map((name) => `import of ${name}`)
  return [...ways, ...clients].map(
    (way) =>
      `${file}: ${way}. Take a fetch as an argument; adapters/http/guarded-fetch.ts makes the only one.`,
  )
}

test('nothing in src goes to the network but through the guard', () => {
  const files = globSync('**/*.ts', { cwd: source }).map((file) => relative(source, join(source, file)))
  expect(files.length).toBeGreaterThan(100)
  expect(
    files.flatMap((file) => complaints(file.replaceAll('\\', '/'), readFileSync(join(source, file), 'utf8'))),
  ).toEqual([])
})

test.each([
  { why: 'a plain call', text: 'const answer = await fetch(url)' },
  { why: 'a default', text: 'const send = options.fetch ?? fetch\n' },
  { why: 'a default of a parameter', text: 'function ask(send = fetch) {}' },
  { why: 'handing it on', text: 'open({ fetch: globalThis.fetch })' },
  { why: 'handing it on in short', text: 'ask(url, fetch)' },
  { why: 'a client of node', text: "import { request } from 'node:https'" },
  { why: 'a whole module', text: "import http from 'node:http'" },
  { why: 'a raw socket', text: "import { connect } from 'node:net'" },
  { why: 'the package itself', text: "import { fetch } from 'undici'" },
  { why: 'a web socket', text: 'new WebSocket(url)' },
])('$why is found', ({ text }) => {
  expect(complaints('probing/some.ts', text)).not.toEqual([])
})

test.each([
  { why: 'the guarded one', text: 'const answer = await options.fetch(url)' },
  { why: 'its type', text: 'readonly fetch: typeof globalThis.fetch\n' },
  { why: 'a comment', text: '// fetch(url)\n/* fetch(url) */' },
  { why: 'a server', text: "import { createServer, type Server } from 'node:http'" },
])('$why is fine', ({ text }) => {
  expect(complaints('probing/some.ts', text)).toEqual([])
})
