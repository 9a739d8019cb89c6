import type { Fields, Reply } from './reply.ts'

/** Texts shorter than this are left whole, and so are dates. */
const shortest = 12
const kept = 2 / 3

/** Lists and long texts of an answer without their last third, and its sentence too if it told of them. */
export function truncated(reply: Reply): Reply {
  let cuts = 0
  const cut = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value.length < shortest || /^\d{4}-\d\d-\d\d/.test(value)) return value
      cuts += 1
      return value.slice(0, Math.floor(value.length * kept))
    }
    if (Array.isArray(value)) {
      if (value.length > 1) cuts += 1
      return value.slice(0, Math.max(1, Math.floor(value.length * kept))).map(cut)
    }
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item)]))
  }
  const structured = cut(reply.structured ?? {}) as Fields
  return cuts === 0 ? reply : { text: reply.text.slice(0, Math.floor(reply.text.length * kept)), structured }
}
