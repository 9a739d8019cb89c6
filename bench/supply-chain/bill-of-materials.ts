import { createHash } from 'node:crypto'
import { bundledPackages } from './lock-file.ts'

/** A CycloneDX bill of materials, as far as it is looked into; what else it holds is kept. */
export type BillOfMaterials = {
  readonly serialNumber: string
  readonly metadata: {
    readonly timestamp: string
    readonly component: { readonly 'bom-ref': string; readonly name: string }
  }
  readonly components: readonly {
    readonly 'bom-ref': string
    readonly properties?: readonly { readonly name: string; readonly value: string }[]
  }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/**
 * The part of npm's bill of materials that users get, the same for the same packages whenever and wherever it is
 * written: npm's time and random number are replaced by a fixed time and a number that follows from the content.
 *
 * npm's own `--omit dev` is not used: it leaves out every package that a development package needs too.
 *
 * @param written - what `npm sbom --sbom-format cyclonedx --package-lock-only` writes
 * @param manifest - of the package: npm takes the name of the folder, and counts development packages as dependencies
 * @param time - ISO 8601
 */
export function productionBill(
  written: BillOfMaterials,
  manifest: { readonly name: string; readonly dependencies: { readonly [name: string]: string } },
  time: string,
): BillOfMaterials {
  const components = written.components
    .filter((one) => isBundled(one['bom-ref']) || !(one.properties ?? []).some(isDevelopment))
    .filter(({ 'bom-ref': ref }) => !isWorkspace(ref, written, manifest))
    .toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const { component } = written.metadata
  const refs = new Set([component, ...components].map((one) => one['bom-ref']))
  const isEdge = (from: string, to: string): boolean =>
    refs.has(to) && (from !== component['bom-ref'] || isBundled(to) || nameOf(to) in manifest.dependencies)
  const dependencies = written.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({
      ...one,
      dependsOn: (one.dependsOn ?? []).filter((to) => isEdge(one.ref, to)).toSorted(),
    }))
    .toSorted((a, b) => (a.ref < b.ref ? -1 : 1))
  const metadata = { ...written.metadata, timestamp: time, component: { ...component, name: manifest.name } }
  const bill = { ...written, metadata, components, dependencies }
  return { ...bill, serialNumber: `urn:uuid:${uuidOf(JSON.stringify({ ...bill, serialNumber: '' }))}` }
}

/** Whether it is a package of this repository: npm has ours depend on it, though our manifest does not name it. */
function isWorkspace(
  ref: string,
  { metadata, dependencies }: BillOfMaterials,
  manifest: { readonly dependencies: { readonly [name: string]: string } },
): boolean {
  const users = dependencies.filter(({ dependsOn = [] }) => dependsOn.includes(ref))
  const isOurs = users.length === 1 && users[0]!.ref === metadata.component['bom-ref']
  return isOurs && !isBundled(ref) && !(nameOf(ref) in manifest.dependencies)
}

const nameOf = (ref: string): string => ref.slice(0, ref.lastIndexOf('@'))

const isBundled = (ref: string): boolean => bundledPackages.includes(nameOf(ref))

const isDevelopment = ({ name, value }: { readonly name: string; readonly value: string }): boolean =>
  name === 'cdx:npm:package:development' && value === 'true'

/** A UUID of version 8 (RFC 9562), whose bits are a hash of the text. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
