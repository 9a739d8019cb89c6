import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { root } from '../built-program.ts'
import { bundleManifest } from './bundle-manifest.ts'
import { packageFacts } from './package-facts.ts'
import { bytesIn, stage } from './stage.ts'

// `npm run mcpb`: packs the bundle of this platform into dist/bundles, by the official packer; unpacks it, and asks it as a host would.

const called = promisify(execFile)
const facts = packageFacts(root)
const manifest = bundleManifest(facts, process.platform)
const file = join(
  root,
  'dist',
  'bundles',
  `audition-mcp-${facts.version}-${process.platform}-${process.arch}.mcpb`,
)
const workplace = mkdtempSync(join(tmpdir(), 'audition-mcpb-'))
try {
  const staged = join(workplace, 'staged')
  await stage(staged, root)
  writeFileSync(join(staged, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await mcpb('validate', join(staged, 'manifest.json'))
  await mcpb('pack', staged, file)
  const unpacked = join(workplace, 'unpacked')
  await mcpb('unpack', file, unpacked)
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
  console.log(`${file}: ${megabytes(statSync(file).size)}, unpacked ${megabytes(bytesIn(unpacked))}`)
  console.log(await tried(unpacked))
} finally {
  rmSync(workplace, { recursive: true, force: true })
}

async function mcpb(...words: readonly string[]): Promise<void> {
  const program = join(root, 'bench/publishing/tools/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js')
  await called(process.execPath, [program, ...words], { maxBuffer: 64 * 1024 * 1024 })
}

/** Starts what was unpacked as its manifest says, with nothing given by the user but a store, and searches. */
async function tried(unpacked: string): Promise<string> {
  const home = join(workplace, 'home')
  mkdirSync(home)
  const given: { readonly [name: string]: string } = { __dirname: unpacked, 'user_config.home': home }
  const filled = (text: string): string =>
    text.replace(/\$\{([\w.]+)\}/g, (_, name: string) => given[name] ?? '')
  const { args, env } = manifest.server.mcp_config
  const launched = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    APPDATA: home,
    LOCALAPPDATA: home,
    SystemRoot: process.env.SystemRoot ?? '', // Node.js on Windows wants it
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
  }
  const main = filled(args[0]!)
  await called(process.execPath, [main, 'index', join(root, 'examples', 'tools')], {
    env: launched,
    cwd: home,
  })
  const client = new Client({ name: 'claude-ai', version: '1.0.0' }, {})
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: args.map(filled), env: launched, cwd: home }),
  )
  try {
    const { tools } = await client.listTools()
    const query = 'convert money into another currency'
    const answer = await client.callTool({ name: 'search_tools', arguments: { query } })
    const { candidates } = answer.structuredContent as { candidates: readonly { readonly id: string }[] }
    if (candidates[0]?.id !== 'money/convert_currency')
      throw new Error(`The bundle found ${JSON.stringify(candidates[0])} for "${query}".`)
    return `started as the manifest says: ${tools.length} tools; "${query}" finds ${candidates[0].id}`
  } finally {
    await client.close()
  }
}
