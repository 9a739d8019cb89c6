import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { Artifact } from './shared-artifacts.ts'

/** Where what is shared is reached: the address that ends with a slash, and the name that stands for its publisher. */
export type SharedAt = { readonly base: string; readonly publisher: string }

/** @param address - by which a client reached this server, or is told to reach it */
export function sharedAt(address: string): SharedAt {
  const { href, hostname } = new URL('./', address)
  return { base: href, publisher: hostname.startsWith('[') ? 'localhost' : hostname }
}

/** Documents up to this length stand in the entry itself; others at an address of this server. */
const longestInEntry = 8_000

/** Where documents lie, below the base. */
export const documentsPath = 'shared/'

/** An entry of the catalog. */
export function entryOf({ name, type, said, document }: Artifact, { base, publisher }: SharedAt): JsonObject {
  const isShort = JSON.stringify(document).length <= longestInEntry
  return {
    identifier: `urn:air:${publisher}:${name}`,
    type,
    ...said,
    ...(isShort ? { data: document } : { url: `${base}${documentsPath}${name}` }),
  }
}

/** `ai-catalog.json`: what is shared, and where it can be searched. */
export const catalogOf = (artifacts: Iterable<Artifact>, at: SharedAt): JsonObject => ({
  specVersion: '1.0',
  host: { displayName: at.publisher },
  entries: [
    {
      identifier: `urn:air:${at.publisher}:registry:audition`,
      displayName: `Search at ${at.publisher}`,
      type: 'application/ai-registry+json',
      url: at.base,
      description: 'Finds tools and agents of this catalog for a need in plain words: POST search.',
    },
    ...[...artifacts].map((artifact) => entryOf(artifact, at)),
  ],
})

/** Fields that a search may be narrowed by. */
export const filterFields = [
  'identifier',
  'displayName',
  'type',
  'tags',
  'capabilities',
  'publisher',
  'version',
]

/** Values of one field are joined by "or", fields by "and". */
export type EntryFilter = { readonly [field: string]: readonly string[] }

export const fits = (entry: JsonObject, filter: EntryFilter): boolean =>
  Object.entries(filter).every(([name, wanted]) =>
    valuesOf(entry, name).some((value) => wanted.includes(value)),
  )

function valuesOf(entry: JsonObject, name: string): readonly string[] {
  const value: JsonValue | undefined = name === 'publisher' ? publisherOf(entry) : entry[name]
  return [value].flat().filter((one): one is string => typeof one === 'string' && !isJsonObject(one))
}

const publisherOf = ({ identifier }: JsonObject): string => String(identifier).split(':')[2] ?? ''
