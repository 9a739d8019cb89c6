import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLock } from '../../bench/supply-chain/lock-file.ts'

const root = join(import.meta.dirname, '..', '..')
const locked = readLock(root)
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: { readonly [name: string]: string }
  readonly allowScripts: { readonly [name: string]: boolean }
}

/** Native libraries whose archives were not to be had when they were locked: pinned by version alone. */
const withoutHash = [
  'darwin-arm64',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'win32-arm64-msvc',
  'win32-x64-msvc',
].map((platform) => `@lancedb/lancedb-${platform}`)

test('the archive of every package is pinned by its SHA-512, but for libraries that are named', () => {
  expect(locked.length).toBeGreaterThan(100)
  const unpinned = locked.filter(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
  expect(unpinned.map(({ name }) => name)).toEqual(withoutHash)
  expect(unpinned.filter(({ version, isOptional }) => version === '' || !isOptional)).toEqual([])
})

test('what packages install on other platforms is locked too: npm ci refuses a lock file that lacks it', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: { readonly [path: string]: { readonly optionalDependencies?: Record<string, string> } }
  }
  const names = new Set(locked.map(({ name }) => name))
  const wanted = Object.values(packages).flatMap((one) => Object.keys(one.optionalDependencies ?? {}))
  expect(wanted.length).toBeGreaterThan(20)
  expect(wanted.filter((name) => !names.has(name))).toEqual([])
})

test('every package comes from the registry: none from git, a file or another address', () => {
  expect(
    locked.filter(({ resolved }) => resolved !== null && !resolved.startsWith('https://registry.npmjs.org/')),
  ).toEqual([])
  const ranges = Object.entries(manifest.dependencies)
  expect(ranges.filter(([, range]) => !/^[\^~]?\d+\.\d+\.\d+$/.test(range))).toEqual([])
})

test('every direct dependency is locked as something that users get', () => {
  const production = new Set(locked.filter(({ isProduction }) => isProduction).map(({ path }) => path))
  const direct = Object.keys(manifest.dependencies).map((name) => `node_modules/${name}`)
  expect(direct.filter((path) => !production.has(path))).toEqual([])
})

test('no package may run a script when it is installed, and each that would is named', () => {
  const withScript = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
  expect(withScript.filter((name) => manifest.allowScripts[name] !== false)).toEqual([])
  expect(Object.values(manifest.allowScripts)).not.toContain(true)
})

test('packages with such scripts are ones that a user can do without', () => {
  const needed = locked.filter((one) => one.hasInstallScript && one.isProduction && !one.isOptional)
  expect(needed).toEqual([])
})
