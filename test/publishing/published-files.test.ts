import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { bundleManifest } from '../../bench/publishing/bundle-manifest.ts'
import { installLinks, publishedLaunch, withInstallLinks } from '../../bench/publishing/install-links.ts'
import { imageName, packageFacts } from '../../bench/publishing/package-facts.ts'
import { serverJson } from '../../bench/publishing/server-json.ts'
import { hostBlock } from '../../src/hosts/block.ts'
import { hostNamed } from '../../src/hosts/hosts.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const facts = packageFacts(root)

const registrySchema = fileURLToPath(
  new URL('../../../shared/data/formats/mcp-server-json/server.schema.2025-12-11.json', import.meta.url),
)
const isPresent = existsSync(registrySchema)

/** What a value breaks of the registry's schema. */
function faults(value: unknown): readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const check = ajv.compile(JSON.parse(readFileSync(registrySchema, 'utf8')))
  check(value)
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const bundles = [{ file: 'audition-mcp-0.1.0-darwin-arm64.mcpb', sha256: 'a'.repeat(64) }]

const written = JSON.parse(read('server.json')) as object

test('server.json is what package.json makes of it', () =>
  expect(written, 'run `npm run publishing`').toEqual(serverJson(facts)))

test.skipIf(!isPresent)(
  `server.json obeys the schema of the registry${isPresent ? '' : ' (skipped: data not present)'}`,
  () => {
    expect(faults(written)).toEqual([])
    expect(faults(serverJson(facts, bundles))).toEqual([])
    expect(faults({ ...written, name: 'no namespace' })).not.toEqual([])
  },
)

test('every version, name and image says what package.json says', () => {
  const { version, packages } = JSON.parse(read('server.json')) as {
    version: string
    packages: { registryType: string; version?: string; identifier: string }[]
  }
  const [npm, oci] = packages
  expect([version, npm?.version]).toEqual([facts.version, facts.version])
  expect(npm?.identifier).toBe(facts.name)
  expect(oci?.identifier).toBe(`${imageName(facts)}:${facts.version}`)
  expect(read('Dockerfile')).toContain(`io.modelcontextprotocol.server.name="${facts.mcpName}"`)
  expect(facts.mcpName).toMatch(/^io\.github\.[a-z0-9-]+\/audition$/)
  expect(facts.repository.url).toContain(`github.com/${facts.mcpName.split(/[./]/)[2]}/`)
})

test('settings of server.json are in the guide, and those that hold a secret say so', () => {
  const { packages } = serverJson(facts) as {
    packages: { environmentVariables: { name: string; isSecret?: boolean }[] }[]
  }
  const variables = packages[0]!.environmentVariables
  expect(variables.length).toBeGreaterThan(5)
  for (const { name, isSecret = false } of variables) {
    expect(read('docs/guide.md'), name).toContain(`\`${name}\``)
    expect(isSecret, name).toBe(/KEY|TOKEN/.test(name))
  }
})

// `npm run mcpb` holds it against its schema, by the official packer.
test('the manifest of the bundle marks the key as sensitive', () => {
  const manifest = bundleManifest(facts, 'darwin')
  expect(manifest.user_config.llm_key).toMatchObject({ sensitive: true, required: false })
})

test('the guide has the links', () => {
  const guide = read('docs/guide.md')
  expect(withInstallLinks(guide, installLinks(facts)), 'run `npm run publishing`').toBe(guide)
})

test.each(installLinks(facts))('the link of $title holds the block that init writes', ({ host, url }) => {
  const at = { home: '/', cwd: '/', env: {}, platform: 'linux' as const }
  const { name, entry } = hostBlock(hostNamed(host)!, publishedLaunch(facts, host), { place: at })
  const asked = new URL(url).searchParams
  if (host === 'cursor') {
    expect(asked.get('name')).toBe(name)
    expect(JSON.parse(Buffer.from(asked.get('config')!, 'base64').toString())).toEqual(entry)
  } else {
    const [, config = ''] = asked.get('url')!.split(/:mcp\/install\?/)
    expect(JSON.parse(decodeURIComponent(config))).toEqual({ name, ...entry })
  }
})
