import { createHash } from 'node:crypto'

/** Half of the ids, always the same ones, whatever order they come in: those whose hash is low. */
export function halfOf(ids: Iterable<string>): ReadonlySet<string> {
  const hashed = [...ids].map((id) => ({ id, hash: createHash('sha256').update(`half ${id}`).digest('hex') }))
  const ordered = hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1))
  return new Set(ordered.slice(0, Math.floor(ordered.length / 2)).map(({ id }) => id))
}
