import type { JsonObject } from '../../domain/json.ts'
import { jsonBytes, jsonTextBytes } from './token-estimate.ts'

/** One entry of an answer, in both shapes that a host may show its model. */
export type Piece = {
  readonly structured: JsonObject
  /** The same in a readable line, or a few. */
  readonly line: string
  /** Inputs are cut, with a mark where. */
  readonly isCut?: boolean
}

/** The ways to show one entry, poorest first; each is made only when it is weighed. */
export type Forms = readonly (() => Piece)[]

/** How much room there is. */
type Room = {
  /** Bytes that all entries may take, structured and as lines. */
  readonly bytes: number
  /** The place of the form in {@link Forms} that an entry should have wherever there is room. */
  readonly needed: number
  /** Bytes of structured entries up to which forms richer than that are taken. */
  readonly lean: number
}

/** What was chosen to stand in an answer. */
export type Fitted = {
  /** In the order given. */
  readonly pieces: readonly Piece[]
  /** Entries of which not even the poorest form fits. */
  readonly omitted: number
  /** Some entry stands in a form for which only the room was wanting. */
  readonly shortened: boolean
  /** Some entry's inputs are cut, as {@link Piece.isCut} says. */
  readonly cut: boolean
}

/** A piece and the bytes it adds: its JSON and a comma, and besides its line, with a line break, inside the JSON string of the text. */
type Weighed = { readonly piece: Piece; readonly bytes: number; readonly structured: number }

function weighed(piece: Piece): Weighed {
  const structured = jsonBytes(piece.structured) + 1
  return { piece, structured, bytes: structured + jsonTextBytes(`${piece.line}\n`) }
}

type Chosen = { shown: Weighed; level: number; readonly forms: Forms }

/**
 * Chooses a form for each entry so that all of them together keep to the room.
 *
 * Breadth comes first: each entry gets its poorest form before any gets a richer one, and at each step the earlier
 * entry is served first.
 *
 * @param entries - best first
 */
export function fitEntries(entries: readonly Forms[], { bytes, needed, lean }: Room): Fitted {
  let left = bytes
  const chosen: Chosen[] = []
  for (const forms of entries) {
    const shown = weighed(forms[0]!())
    if (shown.bytes > left) continue
    left -= shown.bytes
    chosen.push({ shown, level: 0, forms })
  }
  let leanLeft = Number.POSITIVE_INFINITY
  const levels = Math.max(0, ...chosen.map(({ forms }) => forms.length))
  for (let level = 1; level < levels; level += 1) {
    if (level === needed + 1) leanLeft = lean - chosen.reduce((sum, { shown }) => sum + shown.structured, 0)
    if (leanLeft <= 0) break
    for (const entry of chosen) {
      const form = entry.forms[level]
      if (form === undefined) continue
      const richer = weighed(form())
      const growth = richer.bytes - entry.shown.bytes
      const leanGrowth = richer.structured - entry.shown.structured
      if (growth > left || leanGrowth > leanLeft) continue
      left -= growth
      leanLeft -= leanGrowth
      entry.shown = richer
      entry.level = level
    }
  }
  const wanted = ({ forms }: Chosen): number =>
    Math.min(Number.isFinite(lean) ? needed : Number.POSITIVE_INFINITY, forms.length - 1)
  const pieces = chosen.map(({ shown }) => shown.piece)
  return {
    pieces,
    omitted: entries.length - chosen.length,
    shortened: chosen.some((entry) => entry.level < wanted(entry)),
    cut: pieces.some(({ isCut }) => isCut === true),
  }
}
