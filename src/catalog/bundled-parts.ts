import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, normalize, resolve } from 'node:path'
import { realPath } from '../domain/paths.ts'

/** By this people name the catalog that ships with Audition, where they name a source. */
export const bundledWord = 'bundled'

/**
 * The parts of the bundled catalog by location, and where each lies in its folder. A location names what it is and not where
 * this installation happens to lie: a catalog that moved, or that two installations have, is the same sources.
 */
const parts = {
  'bundled:profiles': ['profiles'],
  'bundled:servers': ['mcp.json'],
  'bundled:demo': ['demo', 'profiles'],
} as const satisfies { readonly [location: string]: readonly string[] }

/** A part of the bundled catalog, by its location. */
export type BundledPart = keyof typeof parts

export const bundledParts = Object.keys(parts) as readonly BundledPart[]

/** What is read where the user has nothing of their own: our profiles and our MCP servers. */
export const bundledCatalog: readonly BundledPart[] = ['bundled:profiles', 'bundled:servers']

/** What the quickstart adds: small agents that show why descriptions are not enough. */
export const demoCatalog: readonly BundledPart[] = ['bundled:demo']

/** The sources of the parts by id, as they are called where no other source has the name. */
export const bundledSources: { readonly [source: string]: BundledPart } = {
  'catalog-profiles': 'bundled:profiles',
  'audition-arithmetic': 'bundled:servers',
  'audition-calendar': 'bundled:servers',
  'audition-text': 'bundled:servers',
  'demo-profiles': 'bundled:demo',
}

/**
 * The command that brings the part back to which the id of a bundled source or card belongs, as a sentence; undefined where it is none,
 * or where the source is in the store.
 *
 * @param sources - those of the store, asked for where it matters
 */
export async function returnOf(
  id: string,
  sources: () => Promise<readonly { readonly id: string }[]>,
): Promise<string | undefined> {
  const [source = ''] = id.split('/', 1)
  const part = Object.hasOwn(bundledSources, source) ? bundledSources[source] : undefined
  if (part === undefined || (await sources()).some((one) => one.id === source)) return undefined
  const name = bundledCatalog.includes(part) ? bundledWord : part
  return `It ships with Audition and is not in the store: \`audition index ${name}\` brings it back.`
}

/** Whether a location is one of the bundled catalog, `bundled:servers#audition-text` too. */
export const isBundledLocation = (location: string): boolean => location.startsWith(`${bundledWord}:`)

/** The part that a location of the bundled catalog belongs to; undefined when there is no such part. */
export const bundledPartOf = (location: string): BundledPart | undefined =>
  bundledParts.find((part) => location === part || location.startsWith(`${part}#`))

/** Where a part lies in a folder of the bundled catalog. */
export const pathOfPart = (part: BundledPart, catalog: string): string => join(catalog, ...parts[part])

/** The part that a path would be, and the folder that would be the catalog; undefined for a path of another shape. */
export function partShapeOf(
  path: string,
): { readonly part: BundledPart; readonly catalog: string } | undefined {
  for (const part of bundledParts) {
    const catalog = parts[part].reduce((at) => dirname(at), path)
    if (basename(catalog) === 'catalog' && pathOfPart(part, catalog) === path) return { part, catalog }
  }
  return undefined
}

/** Whether a location is one of the bundled catalog, or a path of the kind by which an older Audition knew it. */
export const looksBundled = (location: string): boolean =>
  isBundledLocation(location) || partShapeOf(pathAndServer(location).path) !== undefined

/**
 * The locations that a location stands for: itself, the bundled catalog for `bundled:`, and parts of it for a path at which
 * the catalog of this or of another installation of Audition lies.
 *
 * @param folder - the bundled catalog of this installation; without one no path is of a catalog
 */
export function locationsMeant(location: string, folder: string | undefined): readonly string[] {
  if (location === `${bundledWord}:`) return bundledCatalog
  if (folder === undefined || isBundledLocation(location) || /^https?:/i.test(location)) return [location]
  const { path: bare, server } = pathAndServer(location)
  // A server may be called anything, `/../` too: its name must not lead its configuration into the catalog.
  if (isAbsolute(bare) && normalize(bare) !== bare) return [location]
  const path = realPath(resolve(bare))
  if (isCatalog(path, folder)) return bundledParts
  const shape = partShapeOf(path)
  if (shape === undefined || !isCatalog(shape.catalog, folder)) return [location]
  return [server === undefined ? shape.part : `${shape.part}#${server}`]
}

/** The configuration and the server of `config#server`. */
export function pathAndServer(location: string): { readonly path: string; readonly server?: string } {
  const [, path = location, server] = /^(.*?)(?:#([^#/\\]*))?$/s.exec(location) ?? []
  return server === undefined ? { path } : { path, server }
}

/** Whether a folder is the bundled catalog of this installation, or of another one: the package it lies in says so. */
export function isCatalog(path: string, folder: string): boolean {
  if (path === realPath(folder)) return true
  if (basename(path) !== 'catalog') return false
  try {
    const { name } = JSON.parse(readFileSync(join(dirname(path), 'package.json'), 'utf8'))
    return name === 'audition-mcp'
  } catch {
    return false // no package, or one that says nothing: not ours
  }
}
