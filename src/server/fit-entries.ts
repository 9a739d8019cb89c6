import type { JsonObject } from '../domain/json.ts'
import { jsonBytes, jsonTextBytes } from './token-estimate.ts'

/** One entry of an answer, in both shapes that a host may show its model. */
export type Piece = {
  readonly structured: JsonObject
  /** The same in a readable line, or a few. */
  readonly line: string
}

/** The ways to show one entry, poorest first; each is made only when it is weighed. */
export type Forms = readonly (() => Piece)[]

/** What was chosen to stand in an answer. */
export type Fitted = {
  /** In the order given. */
  readonly pieces: readonly Piece[]
  /** Entries of which not even the poorest form fits. */
  readonly omitted: number
  /** Some entry stands in a poorer form than its richest. */
  readonly shortened: boolean
}

/** Bytes a piece adds: its JSON and a comma, and its line, with a line break, inside the JSON string of the text. */
export const bytesOf = (piece: Piece): number =>
  jsonBytes(piece.structured) + 1 + jsonTextBytes(`${piece.line}\n`)

/**
 * Chooses a form for each entry so that all of them together take at most so many bytes.
 *
 * Breadth comes first: each entry gets its poorest form before any gets a richer one, and at each step the earlier
 * entry is served first.
 *
 * @param entries - best first
 */
export function fitEntries(entries: readonly Forms[], bytes: number): Fitted {
  let left = bytes
  const chosen: { piece: Piece; bytes: number; level: number }[] = []
  const fitting: Forms[] = []
  for (const forms of entries) {
    const piece = forms[0]!()
    const cost = bytesOf(piece)
    if (cost > left) continue
    left -= cost
    chosen.push({ piece, bytes: cost, level: 0 })
    fitting.push(forms)
  }
  const levels = Math.max(0, ...fitting.map((forms) => forms.length))
  for (let level = 1; level < levels; level += 1) {
    for (const [at, forms] of fitting.entries()) {
      const richer = forms[level]?.()
      if (richer === undefined) continue
      const cost = bytesOf(richer)
      if (cost - chosen[at]!.bytes > left) continue
      left -= cost - chosen[at]!.bytes
      chosen[at] = { piece: richer, bytes: cost, level }
    }
  }
  return {
    pieces: chosen.map(({ piece }) => piece),
    omitted: entries.length - chosen.length,
    shortened: chosen.some(({ level }, at) => level < fitting[at]!.length - 1),
  }
}
