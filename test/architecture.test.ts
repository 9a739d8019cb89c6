import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { describe, expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../src')

/**
 * The one direction of imports. A room may import itself, the rooms it names, and the packages it names; `node:` modules
 * are open to all but the domain. `leaf` files of `src` itself are rooms of their own.
 */
const rooms: {
  readonly [room: string]: { readonly rooms: readonly string[]; readonly packages: readonly string[] }
} = {
  domain: { rooms: [], packages: [] },
  paths: { rooms: [], packages: [] }, // which folder a path lies in, for all who decide by it
  // what is known of AI hosts: where their configurations lie, how they are read and written
  hosts: { rooms: ['domain', 'paths'], packages: ['jsonc-parser', 'smol-toml'] },
  catalog: {
    rooms: ['hosts', 'domain', 'paths'],
    packages: ['zod', 'js-yaml', 'jsonc-parser', 'p-limit', 'tinyglobby'],
  },
  embedding: { rooms: ['kernels', 'domain'], packages: [] },
  kernels: { rooms: [], packages: [] }, // inner loops in WebAssembly, and what runs them
  retrieval: { rooms: ['embedding', 'kernels', 'catalog', 'domain'], packages: ['stemmer'] },
  evaluation: {
    rooms: ['retrieval', 'catalog', 'domain', 'package-root.ts'], // the recipes' manifests lie under evals/
    packages: ['zod', 'hyparquet', 'hyparquet-compressors', 'csv-parse', 'p-limit'], // formats of benchmarks, downloads
  },
  // pages in the browser: built apart, and read by who writes them. Numbers and words of reports are the same on both sides
  page: {
    rooms: ['evaluation', 'domain'],
    packages: ['preact', 'preact-render-to-string', 'rolldown'],
  },
  probing: {
    rooms: ['retrieval', 'catalog', 'domain', 'paths'],
    packages: ['zod', 'ajv', 'ajv-formats', 'json-p3', 'p-limit'], // schemas and paths that references name
  },
  'audition.ts': {
    rooms: ['trainer.ts', 'probing', 'evaluation', 'retrieval', 'catalog', 'domain'],
    packages: [],
  },
  'search-threads': {
    // each thread opens the model for itself, and the search images of the thread that started it
    rooms: ['retrieval', 'kernels', 'domain', 'open-models.ts'],
    packages: [],
  },
  'trainer.ts': { rooms: ['catalog'], packages: [] }, // a part that is a package of its own, as this one knows it
  'load-part.ts': { rooms: ['trainer.ts', 'evaluation', 'domain'], packages: [] },
  'config.ts': { rooms: [], packages: ['env-paths'] },
  'package-root.ts': { rooms: [], packages: [] },
  'package-version.ts': { rooms: ['package-root.ts', 'domain'], packages: [] },
  'adapters/lancedb': {
    rooms: ['probing', 'retrieval', 'catalog', 'domain'],
    packages: ['@lancedb/lancedb', 'apache-arrow'],
  },
  'adapters/static-model': { rooms: ['embedding', 'retrieval', 'domain'], packages: ['zod'] },
  'adapters/transformers': { rooms: ['retrieval', 'domain'], packages: ['@huggingface/transformers', 'zod'] },
  'adapters/processes': { rooms: ['domain', 'paths'], packages: [] }, // process groups, used by all adapters that start children
  'adapters/mcp-client': {
    rooms: ['adapters/processes', 'adapters/http', 'probing', 'catalog', 'hosts', 'domain'],
    packages: ['@modelcontextprotocol/client', 'zod', 'ajv'], // arguments are checked before a tool is called
  },
  'adapters/command': { rooms: ['adapters/processes', 'probing', 'catalog', 'domain'], packages: [] },
  'adapters/a2a': { rooms: ['adapters/http', 'probing', 'catalog', 'domain'], packages: ['@a2a-js/sdk'] },
  'adapters/ai-sdk': {
    // profiles run with their servers' tools attached, chat addresses name variables, sub-agents may run in `claude`
    rooms: [
      ...['adapters/mcp-client', 'adapters/command', 'adapters/processes', 'adapters/http'],
      ...['evaluation', 'probing', 'catalog', 'hosts', 'domain'],
    ],
    packages: ['ai', '@ai-sdk/openai-compatible', '@ai-sdk/anthropic', '@ai-sdk/google', 'zod'],
  },
  // the one guarded way to addresses that cards and callers name, for all adapters that speak HTTP
  'adapters/http': { rooms: ['catalog', 'domain'], packages: ['undici', 'ipaddr.js'] },
  'app.ts': {
    rooms: [
      ...[
        'adapters/lancedb',
        'adapters/mcp-client',
        'adapters/http',
        'adapters/processes',
        'adapters/ai-sdk',
        'adapters/a2a',
        'adapters/command',
        'probing',
        'evaluation',
        'retrieval',
        'catalog',
      ],
      ...['domain', 'paths', 'audition.ts', 'config.ts', 'open-executors.ts', 'open-guards.ts'],
      ...['open-models.ts', 'open-pinned-catalog.ts'],
      ...['open-repair.ts', 'open-search.ts', 'once.ts'],
      ...['trainer.ts', 'load-part.ts'],
      ...['package-root.ts', 'package-version.ts'],
    ],
    packages: [],
  },
  'once.ts': { rooms: [], packages: [] },
  'open-search.ts': {
    // the part of the composition root where searches hear the record, in one thread or several
    rooms: ['search-threads', 'probing', 'retrieval', 'config.ts', 'once.ts'],
    packages: [],
  },
  'open-executors.ts': {
    // the part of the composition root that knows every way to run a card
    rooms: [
      ...['adapters/command', 'adapters/mcp-client', 'adapters/a2a', 'adapters/ai-sdk', 'adapters/http'],
      ...['probing', 'catalog', 'domain', 'config.ts', 'open-guards.ts', 'package-version.ts'],
    ],
    packages: [],
  },
  'open-models.ts': {
    // the part of the composition root that knows every kind of model
    rooms: [
      ...['adapters/static-model', 'adapters/transformers', 'adapters/ai-sdk'],
      ...['probing', 'retrieval', 'config.ts', 'package-root.ts'],
    ],
    packages: [],
  },
  'open-pinned-catalog.ts': {
    // the part of the composition root that lets runs compare servers with the store: catalog and retrieval meet here
    rooms: ['retrieval', 'catalog'],
    packages: [],
  },
  'open-guards.ts': {
    // the part of the composition root that knows what keeps strangers in bounds
    rooms: ['adapters/http', 'adapters/processes', 'probing', 'config.ts'],
    packages: [],
  },
  'open-repair.ts': {
    // the part of the composition root that lets a process of its own repair a store
    rooms: [
      ...['adapters/lancedb', 'adapters/processes', 'retrieval', 'catalog', 'domain', 'config.ts'],
      ...['repair-here.ts', 'repair-process.ts'],
    ],
    packages: [],
  },
  'repair-here.ts': {
    // the part of the composition root that knows what lies in the home: a store, and files of probes
    rooms: ['adapters/lancedb', 'probing', 'catalog', 'config.ts'],
    packages: [],
  },
  'repair-process.ts': {
    // the composition root of the process of a repair
    rooms: [
      'domain',
      ...['adapters/lancedb', 'adapters/processes', 'catalog', 'config.ts'],
      ...['open-guards.ts', 'open-models.ts', 'repair-here.ts'],
    ],
    packages: [],
  },
  server: {
    rooms: [
      ...['app.ts', 'audition.ts', 'package-version.ts'],
      ...['probing', 'evaluation', 'retrieval', 'catalog', 'domain'],
    ],
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod', 'jose'], // access tokens are checked
  },
  cli: {
    rooms: [
      ...[
        'app.ts',
        'audition.ts',
        'config.ts',
        'package-root.ts',
        'package-version.ts',
        'probing',
        'evaluation',
        'retrieval',
        'catalog',
        'hosts',
        'domain',
        'paths',
      ],
      'server', // the command `serve` starts it
    ],
    packages: ['commander', 'picocolors', 'cli-table3', 'cli-progress', 'p-limit'],
  },
}

const files = globSync('**/*.{ts,tsx}', { cwd: source }).map((file) => join(source, file))

const roomOf = (file: string): string => {
  const path = relative(source, file).replaceAll('\\', '/')
  const [first = '', second = ''] = path.split('/')
  return first === 'adapters' ? `${first}/${second}` : first
}

const specifiers = (file: string): string[] => {
  const text = readFileSync(file, 'utf8')
  const found = [
    ...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^']+)'/gms),
    ...text.matchAll(/^import\s+'([^']+)'/gm),
    ...text.matchAll(/\bimport\('([^']+)'\)/g),
    ...text.matchAll(/\brequire\('([^']+)'\)/g),
  ]
  return found.map((match) => match[1]!)
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** What is wrong with an import, in words that say how to mend it; undefined when nothing is. */
function complaint(file: string, specifier: string): string | undefined {
  const room = roomOf(file)
  const allowed = rooms[room]
  const where = relative(source, file)
  if (allowed === undefined)
    return `${where}: room "${room}" is not in the table. Add it to test/architecture.test.ts with what it may import.`
  if (specifier.startsWith('node:')) {
    return room === 'domain'
      ? `${where} imports ${specifier}: the domain imports nothing. Pass the value in.`
      : undefined
  }
  if (specifier.startsWith('.')) {
    const target = roomOf(resolve(dirname(file), specifier))
    if (target === room || allowed.rooms.includes(target)) return undefined
    return `${where} imports ${specifier}: "${room}" may not import "${target}". Declare a port beside the caller, or move the code.`
  }
  if (allowed.packages.includes(packageOf(specifier))) return undefined
  return `${where} imports ${specifier}: the package is not open to "${room}". Wrap it in an adapter, or add it to the table with a reason.`
}

describe('imports go one way', () => {
  test('every import of src is in the table', () => {
    const complaints = files.flatMap((file) =>
      specifiers(file).flatMap((specifier) => complaint(file, specifier) ?? []),
    )
    expect(complaints).toEqual([])
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
      specifier: '../retrieval/search.ts',
    },
    { why: 'a package belongs to its rooms', file: 'retrieval/search.ts', specifier: '@lancedb/lancedb' },
    { why: 'a new room has to be entered', file: 'helpers/all.ts', specifier: './other.ts' },
  ])('$why', ({ file, specifier }) => {
    expect(complaint(join(source, file), specifier)).toBeDefined()
  })

  test('the files are found and their imports read', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap(specifiers).length).toBeGreaterThan(300)
  })
})
