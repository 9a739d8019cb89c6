import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAllowed, type LicenceRules, licencesOf, needless } from '../../bench/supply-chain/licences.ts'
import { type LockedPackage, readLock } from '../../bench/supply-chain/lock-file.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

const root = join(import.meta.dirname, '..', '..')
const rules = JSON.parse(
  readFileSync(join(root, 'bench', 'supply-chain', 'licences.json'), 'utf8'),
) as LicenceRules
const production = readLock(root).filter(({ isProduction }) => isProduction)

test('every package that users get has a licence that is allowed or explained, and no exception is idle', () => {
  const packages = licencesOf(production, rules, root)
  expect(packages.length).toBeGreaterThan(80)
  expect(packages.filter(({ reason }) => reason === null)).toEqual([])
  expect(needless(packages, rules)).toEqual([])
})

test.each([
  { expression: 'MIT', allowed: true, why: 'it is on the list' },
  { expression: 'GPL-3.0-only', allowed: false, why: 'it is not' },
  { expression: '(MIT OR GPL-3.0-only)', allowed: true, why: 'one may choose' },
  { expression: 'GPL-2.0-only OR GPL-3.0-only', allowed: false, why: 'no choice is on the list' },
  { expression: 'MIT AND ISC', allowed: true, why: 'both are on the list' },
  { expression: 'MIT AND GPL-3.0-only', allowed: false, why: 'one of both is not' },
  {
    expression: 'MIT OR (ISC AND GPL-3.0-only)',
    allowed: false,
    why: 'a person must judge mixed expressions',
  },
  { expression: 'mit', allowed: false, why: 'identifiers are written as SPDX writes them' },
  { expression: 'SEE LICENSE IN LICENSE.md', allowed: false, why: 'it is no identifier' },
  { expression: '', allowed: false, why: 'nothing is stated' },
])('"$expression" is allowed: $allowed, because $why', ({ expression, allowed }) => {
  expect(isAllowed(expression, ['MIT', 'ISC'])).toBe(allowed)
})

const locked = (name: string, licence: string | null): LockedPackage => ({
  path: `node_modules/${name}`,
  name,
  version: '1.0.0',
  licence,
  integrity: null,
  resolved: null,
  hasInstallScript: false,
  isProduction: true,
  isOptional: false,
})

test('what is installed counts more than what the lock file says; old manifests are understood', () => {
  const folder = temporaryFolder()
  const manifests = {
    changed: { license: 'GPL-3.0-only' },
    old: { licenses: [{ type: 'MIT' }, { type: 'GPL-3.0-only' }] },
    older: { license: { type: 'ISC' } },
    silent: {},
  }
  for (const [name, manifest] of Object.entries(manifests)) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify(manifest))
  }
  const given = [
    ...Object.keys(manifests).map((name) => locked(name, name === 'changed' ? 'MIT' : null)),
    locked('absent', 'MIT'),
  ]
  const judged = licencesOf(given, { allowed: ['MIT', 'ISC'], exceptions: [] }, folder)
  expect(judged.map(({ name, licence, reason }) => [name, licence, reason])).toEqual([
    ['absent', 'MIT', 'allowed'],
    ['changed', 'GPL-3.0-only', null],
    ['old', 'MIT OR GPL-3.0-only', 'allowed'],
    ['older', 'ISC', 'allowed'],
    ['silent', null, null],
  ])
})

test('an exception is for the licence that was looked at: with another one it does not hold', () => {
  const exceptions = [{ package: '@big/part-*', licence: 'LGPL-3.0-or-later', reason: 'a library apart' }]
  const given = [locked('@big/part-linux', 'LGPL-3.0-or-later'), locked('@big/part-mac', 'GPL-3.0-only')]
  const judged = licencesOf(given, { allowed: ['MIT'], exceptions }, temporaryFolder())
  expect(judged.map(({ reason }) => reason)).toEqual(['a library apart', null])
  expect(needless(judged.slice(1), { allowed: ['MIT'], exceptions })).toEqual(exceptions)
})
