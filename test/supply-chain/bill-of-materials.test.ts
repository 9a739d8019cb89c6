import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type BillOfMaterials, productionBill } from '../../bench/supply-chain/bill-of-materials.ts'
import { bundledPackages, readLock } from '../../bench/supply-chain/lock-file.ts'
import { runNpm } from '../../bench/supply-chain/run-npm.ts'

const root = join(import.meta.dirname, '..', '..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly name: string
  readonly dependencies: { readonly [name: string]: string }
}

/** What CycloneDX 1.5 asks of the parts we write. @see https://cyclonedx.org/docs/1.5/json/ */
const component = z.object({
  'bom-ref': z.string().min(1),
  type: z.enum(['application', 'library']),
  name: z.string().min(1),
  version: z.string().min(1),
  scope: z.enum(['required', 'optional', 'excluded']),
  purl: z.string().regex(/^pkg:npm\/[^@]+@[^@]+$/),
  hashes: z
    .array(z.object({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) }))
    .min(1)
    .optional(),
  licenses: z
    .array(
      z.union([z.object({ license: z.object({ id: z.string() }) }), z.object({ expression: z.string() })]),
    )
    .optional(),
})
const bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  version: z.literal(1),
  metadata: z.object({
    timestamp: z.iso.datetime(),
    component: component.extend({ name: z.literal('audition-mcp') }),
  }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

const written = async (): Promise<BillOfMaterials> => {
  const { code, stdout, stderr } = await runNpm(
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
    root,
  )
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as BillOfMaterials
}

test('the bill has the shape of CycloneDX, holds every package that users get and no other, and is always the same', async () => {
  const time = new Date(0).toISOString()
  const now = await written()
  const later: BillOfMaterials = {
    ...now,
    serialNumber: 'urn:uuid:of-chance',
    metadata: { ...now.metadata, timestamp: '2099-01-01T00:00:00Z' },
    components: now.components.toReversed(),
    dependencies: now.dependencies.toReversed(),
  }
  const first = productionBill(now, manifest, time)
  expect(productionBill(later, manifest, time)).toEqual(first)
  const { components, dependencies, metadata } = bill.parse(first)

  const locked = readLock(root).filter(({ isProduction }) => isProduction)
  const expected = new Set(locked.map(({ name, version }) => `${name}@${version}`))
  expect(new Set(components.map((one) => one['bom-ref']))).toEqual(expected)
  expect(components).toHaveLength(expected.size)
  const unpinned = locked
    .filter(({ integrity }) => integrity === null)
    .map(({ name, version }) => `${name}@${version}`)
  const withoutHash = components.filter(({ hashes }) => hashes === undefined).map((one) => one['bom-ref'])
  expect(new Set(withoutHash)).toEqual(new Set(unpinned))

  const refs = new Set([...expected, metadata.component['bom-ref']])
  expect(
    dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
  ).toEqual([])
  const own = dependencies.find(({ ref }) => ref === metadata.component['bom-ref'])
  const direct = own?.dependsOn.map((ref) => ref.slice(0, ref.lastIndexOf('@')))
  expect(new Set(direct)).toEqual(new Set([...Object.keys(manifest.dependencies), ...bundledPackages]))
})

test('another package, or another time, makes another number', async () => {
  const ours = { name: 'ours', dependencies: { b: '^1.0.0' } }
  const some: BillOfMaterials = {
    serialNumber: 'urn:uuid:of-chance',
    metadata: { timestamp: '2026-01-01T00:00:00Z', component: { 'bom-ref': 'folder@1', name: 'folder' } },
    components: [
      { 'bom-ref': 'b@1' },
      { 'bom-ref': 'a@1' },
      { 'bom-ref': 'preact@1', properties: [{ name: 'cdx:npm:package:development', value: 'true' }] },
      { 'bom-ref': 'dev@1', properties: [{ name: 'cdx:npm:package:development', value: 'true' }] },
    ],
    dependencies: [
      { ref: 'b@1', dependsOn: ['dev@1', 'a@1'] },
      { ref: 'dev@1', dependsOn: [] },
      { ref: 'folder@1', dependsOn: ['b@1', 'a@1', 'dev@1', 'preact@1'] },
    ],
  }
  const plain = productionBill(some, ours, '2026-01-01T00:00:00Z')
  expect(plain.components.map((one) => one['bom-ref'])).toEqual(['a@1', 'b@1', 'preact@1'])
  expect(plain.dependencies).toEqual([
    { ref: 'b@1', dependsOn: ['a@1'] },
    { ref: 'folder@1', dependsOn: ['b@1', 'preact@1'] },
  ])
  expect(plain.metadata.component.name).toBe('ours')
  const reordered = {
    ...some,
    components: some.components.toReversed(),
    serialNumber: 'urn:uuid:of-other-chance',
  }
  expect(productionBill(reordered, ours, '2026-01-01T00:00:00Z')).toEqual(plain)
  const others = [
    productionBill(some, ours, '2027-01-01T00:00:00Z'),
    productionBill({ ...some, components: some.components.slice(1) }, ours, '2026-01-01T00:00:00Z'),
  ]
  expect(new Set([plain, ...others].map(({ serialNumber }) => serialNumber)).size).toBe(3)
})
