import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, test } from 'vitest'
import { functionsOf } from './fixtures/long-functions.ts'

const repository = resolve(import.meta.dirname, '..')
const source = join(repository, 'src')

type Room = {
  /** What it is for, in few words: docs/design.md shows them. */
  readonly holds: string
  /** Rooms it may import, besides itself. */
  readonly rooms: readonly string[]
  /** Packages it may import. `node:` modules are open to all but the domain. */
  readonly packages?: readonly string[]
}

/**
 * The one direction of imports, lowest first: a row names rows above it alone. A folder of `retrieval` or `adapters` is a room of its own,
 * the files beside such folders are one, and so is each file of `src` itself. docs/design.md shows this table; a test below
 * holds the two equal.
 */
const rooms: { readonly [room: string]: Room } = {
  domain: { holds: 'types and pure rules', rooms: [] },
  'package-root.ts': { holds: 'where this package lies', rooms: [] },
  'read-data.ts': { holds: 'reads the JSON that lies beside the code', rooms: [] },
  'package-version.ts': { holds: 'its version', rooms: ['domain', 'package-root.ts'] },
  'config.ts': { holds: 'what the environment says', rooms: [], packages: ['env-paths'] },
  store: { holds: 'what the store remembers, and the port that writes it', rooms: ['domain'] },
  tenants: {
    holds: 'who is served apart: names, tokens, quotas',
    rooms: ['domain'],
    packages: ['zod'],
  },
  vectors: { holds: 'embeddings, and inner loops in WebAssembly', rooms: ['domain'] },
  watching: { holds: 'what is told of a process that somebody watches, and the table of metrics', rooms: [] },
  hosts: {
    holds: 'configurations of AI hosts: where they lie, how they are read and written',
    rooms: ['domain'],
    packages: ['jsonc-parser', 'smol-toml'],
  },
  catalog: {
    holds: 'documents to card drafts',
    rooms: ['domain', 'hosts'],
    packages: ['zod', 'js-yaml', 'jsonc-parser'],
  },
  trust: {
    holds: 'the scan, what is held and why, what a launch is bound to',
    rooms: ['catalog', 'domain', 'package-root.ts', 'read-data.ts', 'store', 'vectors'],
  },
  indexing: {
    holds: 'sources to a plan of changes',
    rooms: ['catalog', 'domain', 'hosts', 'store', 'trust'],
    packages: ['p-limit', 'tinyglobby'],
  },
  'retrieval/text': { holds: 'words of requests and cards', rooms: ['domain'], packages: ['stemmer'] },
  'retrieval/query': {
    holds: 'steps of a request, and what stands beside it',
    rooms: ['domain', 'read-data.ts', 'retrieval/text'],
  },
  'retrieval/effects': {
    holds: 'what a request wants done, and what a tool does',
    rooms: ['domain', 'read-data.ts', 'retrieval/query'],
    packages: ['stemmer'],
  },
  'retrieval/facts': {
    holds: 'what is told of a card when it is indexed',
    rooms: ['domain', 'retrieval/text', 'store', 'trust'],
  },
  'retrieval/glossary': {
    holds: 'what other languages say, in English',
    rooms: ['domain', 'package-root.ts', 'retrieval/query', 'retrieval/text'],
  },
  'retrieval/index': {
    holds: 'the packed image: postings, columns, vectors',
    rooms: [
      'catalog',
      'domain',
      'retrieval/effects',
      'retrieval/facts',
      'retrieval/glossary',
      'retrieval/text',
      'store',
      'trust',
      'vectors',
    ],
  },
  'retrieval/rank': {
    holds: 'evidence of a candidate to a score and a verdict',
    rooms: ['domain', 'retrieval/effects', 'retrieval/index', 'retrieval/query', 'retrieval/text', 'vectors'],
  },
  retrieval: {
    holds: 'what a search is asked and answers, its ports, and a catalog in memory',
    rooms: [
      'catalog',
      'domain',
      'retrieval/glossary',
      'retrieval/index',
      'retrieval/rank',
      'retrieval/text',
      'store',
      'trust',
    ],
  },
  'retrieval/named-systems': {
    holds: 'systems that a request names',
    rooms: ['domain', 'read-data.ts', 'retrieval', 'retrieval/index', 'retrieval/rank', 'retrieval/text'],
  },
  'retrieval/record': {
    holds: 'the track record in rankings',
    rooms: [
      'domain',
      'retrieval',
      'retrieval/index',
      'retrieval/query',
      'retrieval/rank',
      'retrieval/text',
      'vectors',
    ],
  },
  'retrieval/defences': {
    holds: 'cards that were written to be found',
    rooms: [
      'domain',
      'retrieval',
      'retrieval/facts',
      'retrieval/index',
      'retrieval/rank',
      'retrieval/record',
      'retrieval/text',
      'store',
      'trust',
    ],
  },
  'retrieval/search': {
    holds: 'a search, from request to answer',
    rooms: [
      'domain',
      'retrieval',
      'retrieval/defences',
      'retrieval/facts',
      'retrieval/glossary',
      'retrieval/index',
      'retrieval/named-systems',
      'retrieval/query',
      'retrieval/rank',
      'retrieval/record',
      'retrieval/text',
    ],
  },
  assembling: {
    holds: 'agents put together for a task: sets of tools, their score, and the profiles that are written',
    rooms: ['catalog', 'domain', 'hosts', 'retrieval', 'retrieval/glossary', 'retrieval/query'],
  },
  models: {
    holds: 'what is to be expected of a language model in a task',
    rooms: ['domain', 'retrieval/record', 'retrieval/text'],
  },
  probing: {
    holds: 'execute, judge, record',
    rooms: ['catalog', 'domain', 'retrieval', 'store', 'trust'],
    packages: ['zod', 'ajv', 'ajv-formats', 'json-p3', 'p-limit'],
  },
  simulating: {
    holds: 'servers that stand for others: answers that were kept, played, or made up',
    rooms: ['domain', 'probing', 'retrieval/effects'],
    packages: ['zod'],
  },
  evaluation: {
    holds: 'measure runs',
    rooms: [
      'catalog',
      'domain',
      'package-root.ts',
      'retrieval',
      'retrieval/defences',
      'retrieval/facts',
      'retrieval/rank',
      'retrieval/record',
      'retrieval/search',
      'retrieval/text',
      'trust',
    ],
    packages: ['zod', 'hyparquet', 'hyparquet-compressors', 'csv-parse', 'p-limit'],
  },
  tasks: {
    holds: 'tasks made of cards: written, checked, merged, and measured',
    rooms: ['catalog', 'domain', 'evaluation', 'probing', 'retrieval/query', 'retrieval/text', 'trust'],
    packages: ['p-limit'],
  },
  'adapters/http': {
    holds: 'the one guarded way to addresses that cards and callers name',
    rooms: ['catalog', 'domain'],
    packages: ['undici', 'ipaddr.js'],
  },
  'adapters/opentelemetry': {
    holds: 'traces, metrics and the log of a server, where somebody asked for them',
    rooms: ['watching'],
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/core',
      '@opentelemetry/exporter-metrics-otlp-http',
      '@opentelemetry/exporter-prometheus',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace-base',
    ],
  },
  'adapters/processes': { holds: 'process groups and sandboxes', rooms: ['domain'] },
  'adapters/lancedb': {
    holds: 'the store and the record, in folders, object storage and engines',
    rooms: [
      'catalog',
      'domain',
      'probing',
      'retrieval',
      'retrieval/index',
      'retrieval/record',
      'store',
      'trust',
      'vectors',
    ],
    packages: ['@lancedb/lancedb', 'apache-arrow'],
  },
  'adapters/static-model': {
    holds: 'our embedding',
    rooms: ['retrieval', 'retrieval/rank', 'retrieval/text', 'vectors'],
    packages: ['zod'],
  },
  'adapters/reader-model': {
    holds: 'a small transformer of ours, run by itself',
    rooms: ['domain', 'retrieval', 'retrieval/rank', 'vectors'],
    packages: ['zod'],
  },
  'adapters/transformers': {
    holds: 'embeddings and rerankers by transformers.js',
    rooms: ['domain', 'retrieval', 'retrieval/rank'],
    packages: ['@huggingface/transformers', 'zod'],
  },
  'adapters/embed-api': {
    holds: 'services that embed',
    rooms: [
      'adapters/http',
      'adapters/transformers',
      'domain',
      'retrieval',
      'retrieval/rank',
      'store',
      'vectors',
    ],
    packages: ['zod'],
  },
  'adapters/rerank-api': {
    holds: 'services that rerank',
    rooms: ['adapters/http', 'domain', 'retrieval/rank'],
    packages: ['zod'],
  },
  'adapters/mcp-client': {
    holds: 'MCP servers: their tools listed and called',
    rooms: [
      'adapters/http',
      'adapters/processes',
      'catalog',
      'domain',
      'hosts',
      'probing',
      'simulating',
      'trust',
      'watching',
    ],
    packages: ['@modelcontextprotocol/client', 'zod', 'ajv'],
  },
  'adapters/command': {
    holds: 'programs as agents',
    rooms: ['adapters/processes', 'catalog', 'domain', 'probing', 'trust'],
  },
  'adapters/a2a': {
    holds: 'A2A agents',
    rooms: ['adapters/http', 'domain', 'probing'],
    packages: ['@a2a-js/sdk'],
  },
  'adapters/ai-sdk': {
    holds: 'language models: agents that run on them, judges, writers',
    rooms: [
      'adapters/command',
      'adapters/http',
      'adapters/mcp-client',
      'adapters/processes',
      'assembling',
      'catalog',
      'domain',
      'evaluation',
      'hosts',
      'indexing',
      'probing',
      'retrieval/rank',
      'simulating',
      'tasks',
      'trust',
      'watching',
    ],
    packages: ['ai', '@ai-sdk/openai-compatible', '@ai-sdk/anthropic', '@ai-sdk/google', 'zod'],
  },
  compose: {
    holds: 'puts the parts together; alone imports adapters',
    rooms: [
      'adapters/a2a',
      'adapters/ai-sdk',
      'adapters/command',
      'adapters/embed-api',
      'adapters/http',
      'adapters/lancedb',
      'adapters/mcp-client',
      'adapters/opentelemetry',
      'adapters/processes',
      'adapters/reader-model',
      'adapters/rerank-api',
      'adapters/static-model',
      'adapters/transformers',
      'assembling',
      'catalog',
      'config.ts',
      'domain',
      'evaluation',
      'indexing',
      'models',
      'package-root.ts',
      'package-version.ts',
      'probing',
      'retrieval',
      'retrieval/defences',
      'retrieval/index',
      'retrieval/rank',
      'retrieval/record',
      'retrieval/search',
      'simulating',
      'store',
      'tasks',
      'tenants',
      'trust',
      'vectors',
      'watching',
    ],
  },
  server: {
    holds: 'the MCP server and the API of the page: parse, call one function, render',
    rooms: [
      'assembling',
      'catalog',
      'compose',
      'domain',
      'evaluation',
      'hosts',
      'indexing',
      'package-root.ts',
      'package-version.ts',
      'probing',
      'retrieval',
      'retrieval/record',
      'retrieval/text',
      'simulating',
      'store',
      'tenants',
      'trust',
      'watching',
    ],
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod', 'jose'],
  },
  page: {
    holds: 'pages in the browser, built apart, and read by who writes them',
    rooms: ['domain', 'evaluation', 'indexing', 'probing', 'server'],
    packages: ['preact', 'preact-render-to-string'],
  },
  cli: {
    holds: 'the program: parse, call one function, render',
    rooms: [
      'assembling',
      'catalog',
      'compose',
      'config.ts',
      'domain',
      'evaluation',
      'hosts',
      'indexing',
      'models',
      'package-root.ts',
      'package-version.ts',
      'probing',
      'retrieval',
      'retrieval/defences',
      'retrieval/index',
      'retrieval/record',
      'retrieval/search',
      'server',
      'store',
      'tasks',
      'tenants',
      'trust',
    ],
    packages: ['commander', 'picocolors', 'cli-table3', 'cli-progress', 'p-limit'],
  },
  library: {
    holds: 'Audition in a program: take, call one function, return',
    rooms: [
      'assembling',
      'catalog',
      'compose',
      'config.ts',
      'domain',
      'evaluation',
      'indexing',
      'probing',
      'retrieval',
      'server',
      'simulating',
    ],
    packages: ['zod'],
  },
  'host-search.ts': {
    holds: "search for other hosts' programs, each export by its name",
    rooms: ['library'],
  },
  'index.ts': {
    holds: 'what a program may import, each by its name',
    rooms: [
      'assembling',
      'compose',
      'config.ts',
      'domain',
      'evaluation',
      'indexing',
      'library',
      'probing',
      'retrieval',
      'retrieval/index',
      'retrieval/rank',
      'simulating',
      'store',
      'trust',
    ],
  },
}

const files = globSync(['**/*.{ts,tsx}', '!**/assembly/**'], { cwd: source }).map((file) =>
  join(source, file),
)

/** Folders of which each folder is a room. */
const split = new Set(['adapters', 'retrieval'])

const roomOf = (file: string): string => {
  const [first = '', second = '', third] = relative(source, file).replaceAll('\\', '/').split('/')
  return split.has(first) && third !== undefined ? `${first}/${second}` : first
}

const specifiers = (file: string): string[] => {
  const text = readFileSync(file, 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^']+)'/gms),
    ...text.matchAll(/^import\s+'([^']+)'/gm),
    ...text.matchAll(/\bimport\(\s*'([^']+)'\s*,?\s*\)/g),
    ...text.matchAll(/\brequire\('([^']+)'\)/g),
  ]
  return found.map((match) => match[1]!)
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Paths are the one thing of the system that a pure rule may ask. */
const mayAskTheSystem = (file: string): boolean =>
  roomOf(file) !== 'domain' || relative(source, file).replaceAll('\\', '/').startsWith('domain/paths.ts')

/** What is wrong with an import, in words that say how to mend it; undefined when nothing is. */
function complaint(file: string, specifier: string): string | undefined {
  const room = roomOf(file)
  const allowed = rooms[room]
  const where = relative(source, file)
  if (allowed === undefined)
    return `${where}: room "${room}" is not in the table. Add it to test/architecture.test.ts with what it may import.`
  if (specifier.startsWith('node:')) {
    return mayAskTheSystem(file)
      ? undefined
      : `${where} imports ${specifier}: the domain imports nothing. Pass the value in.`
  }
  if (specifier.startsWith('.')) {
    const target = roomOf(resolve(dirname(file), specifier))
    if (target === room || allowed.rooms.includes(target)) return undefined
    return `${where} imports ${specifier}: "${room}" may not import "${target}". Declare a port beside the caller, or move the code.`
  }
  if (allowed.packages?.includes(packageOf(specifier))) return undefined
  return `${where} imports ${specifier}: the package is not open to "${room}". Wrap it in an adapter, or add it to the table with a reason.`
}

/** Beside the product the packages that are compiled with parts of it. */
const packages = ['embeddings/trainer/src', 'evals/benchmarks/src'].flatMap((folder) =>
  globSync(`${folder}/**/*.ts`, { cwd: repository, absolute: true }).map((file) => resolve(file)),
)

const importsOf = new Map(
  [...files, ...packages].map((file) => [
    file,
    specifiers(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => resolve(dirname(file), specifier))
      .filter((target) => existsSync(target)),
  ]),
)

/**
 * What stands beside each other in a folder of src, and which of it imports which. A folder stands for all in it, and a file beside
 * folders for itself: one that opens them may import what needs another that they share.
 */
const importsBeside = new Map<string, Set<string>>()
for (const file of files) {
  for (const target of importsOf.get(file)!) {
    const [from, to] = besides(file, target)
    importsBeside.set(from, (importsBeside.get(from) ?? new Set()).add(to))
  }
}

/** The files themselves, or the folders that they lie in, below the last folder that holds both. */
function besides(file: string, target: string): readonly [from: string, to: string] {
  const [from, to] = [file.split(sep), target.split(sep)]
  const shared = from.findIndex((name, place) => name !== to[place])
  return [from.slice(0, shared + 1).join(sep), to.slice(0, shared + 1).join(sep)]
}

/** The first that import each other, directly or by way of others. */
function circle(imports: ReadonlyMap<string, Iterable<string>>): readonly string[] | undefined {
  const done = new Set<string>()
  function visit(one: string, path: readonly string[]): readonly string[] | undefined {
    if (path.includes(one)) return [...path.slice(path.indexOf(one)), one]
    if (done.has(one)) return undefined
    for (const target of imports.get(one) ?? []) {
      const found = visit(target, [...path, one])
      if (found !== undefined) return found
    }
    done.add(one)
    return undefined
  }
  for (const one of imports.keys()) {
    const found = visit(one, [])
    if (found !== undefined) return found.map((name) => relative(repository, name))
  }
  return undefined
}

describe('imports go one way', () => {
  test('every import of src is in the table', () => {
    const complaints = files.flatMap((file) =>
      specifiers(file).flatMap((specifier) => complaint(file, specifier) ?? []),
    )
    expect(complaints).toEqual([])
  })

  test('no permission of the table is without use', () => {
    const used = new Set(
      files.flatMap((file) =>
        specifiers(file).map((specifier) => `${roomOf(file)} > ${nameOf(file, specifier)}`),
      ),
    )
    const granted = Object.entries(rooms).flatMap(([room, { rooms: others, packages = [] }]) =>
      [...others, ...packages].map((name) => `${room} > ${name}`),
    )
    expect(granted.filter((one) => !used.has(one))).toEqual([])
  })

  test('a row names only rows above it: rooms form no circle', () => {
    const order = Object.keys(rooms)
    const upwards = Object.entries(rooms).flatMap(([room, { rooms: others }], place) =>
      others.filter((other) => !order.slice(0, place).includes(other)).map((other) => `${room} > ${other}`),
    )
    expect(upwards, 'declare a port beside the caller, or move the code').toEqual([])
  })

  test('no file imports itself by way of others, not for a type either', () => {
    expect(circle(importsOf)).toBeUndefined()
  })

  test('what lies in a folder forms no circle: neither its folders, nor a folder and a file beside it', () => {
    expect(importsBeside.size).toBeGreaterThan(300)
    expect(
      circle(importsBeside),
      'move the file to where it belongs, or what is shared beside both',
    ).toBeUndefined()
  })

  test('folders that import each other by way of others are found', () => {
    const beside = besides(join(source, 'cli', 'ask', 'ask.ts'), join(source, 'cli', 'commands', 'index.ts'))
    expect(beside.map((one) => relative(source, one).split(sep).join('/'))).toEqual([
      'cli/ask',
      'cli/commands',
    ])
    const imports = new Map([
      ['judges', ['record']],
      ['record', ['run']],
      ['run', ['judges', 'settings']],
    ])
    expect(circle(imports)).toHaveLength(imports.size + 1)
  })

  test('no folder holds more than 25 files', () => {
    const counts = new Map<string, number>()
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    const full = [...counts].filter(([, count]) => count > 25)
    expect(full.map(([folder, count]) => `${relative(source, folder)}: ${count}`)).toEqual([])
  })

  test.each([
    {
      why: 'a shell must not reach an adapter',
      file: 'cli/run.ts',
      specifier: '../adapters/lancedb/connection.ts',
    },
    { why: 'the domain imports nothing', file: 'domain/card.ts', specifier: 'node:fs' },
    {
      why: 'the catalog knows nothing of retrieval',
      file: 'catalog/identity.ts',
      specifier: '../retrieval/search/search.ts',
    },
    {
      why: 'a folder of retrieval is a room of its own',
      file: 'retrieval/index/postings.ts',
      specifier: '../defences/echo.ts',
    },
    {
      why: 'a defence knows nothing of the search that calls it',
      file: 'retrieval/defences/stand-back.ts',
      specifier: '../search/pack.ts',
    },
    {
      why: 'nor does what ranks',
      file: 'retrieval/rank/fusion.ts',
      specifier: '../search/search.ts',
    },
    {
      why: 'what is indexed asks for no port of a search',
      file: 'retrieval/index/postings.ts',
      specifier: '../ports.ts',
    },
    {
      why: 'a package belongs to its rooms',
      file: 'retrieval/search/search.ts',
      specifier: '@lancedb/lancedb',
    },
    { why: 'a new room has to be entered', file: 'helpers/all.ts', specifier: './other.ts' },
  ])('$why', ({ file, specifier }) => {
    expect(complaint(join(source, file), specifier)).toBeDefined()
  })

  test('the files are found and their imports read', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(packages.length).toBeGreaterThan(50)
    expect(files.flatMap(specifiers).length).toBeGreaterThan(300)
  })
})

/** What a permission would have to name for an import. */
const nameOf = (file: string, specifier: string): string =>
  specifier.startsWith('.') ? roomOf(resolve(dirname(file), specifier)) : packageOf(specifier)

test('docs/design.md shows this table', () => {
  const shown = Object.entries(rooms).map(
    ([room, { holds, rooms: others, packages = [] }]) =>
      `| ${room} | ${holds} | ${[...others, ...packages.map((name) => `\`${name}\``)].join(', ')} |`,
  )
  const design = readFileSync(join(repository, 'docs', 'design.md'), 'utf8')
  const missing = shown.filter((row) => !design.includes(row))
  expect(missing, 'put these rows into the table of docs/design.md').toEqual([])
  const [, table = ''] = design.split('## Rooms')
  expect(table.match(/^\| [\w./-]+ \| .* \|$/gm)).toHaveLength(shown.length + 2) // with the head
})

/** Lines of a function at most, from its first to its last: it fits on a screen. */
const mostLines = 60

/** Functions that are longer today. None is added; one that was split goes from here. */
const tooLong: readonly string[] = [
  'adapters/embed-api/card-vectors.ts: cardVectors',
  'probing/judges/controlled-judge.ts: controlledJudge',
  'retrieval/search/search.ts: search',
  'trust/scan/rules/look-alike-names.ts: neighbourhood',
]

test('no function has more than 60 lines', () => {
  const all = files.flatMap((file) =>
    functionsOf(file).map((one) => ({ ...one, file: relative(source, file).replaceAll('\\', '/') })),
  )
  expect(all.length, 'functions that were found at all').toBeGreaterThan(10_000)
  const long = all.filter(({ lines }) => lines > mostLines).map(({ file, name }) => `${file}: ${name}`)
  expect(long.sort(), 'split it, or take what is short now from the list').toEqual(tooLong)
})
