import type { JsonObject } from '../../domain/json.ts'
import type { ServedAnswer } from '../tool.ts'

/** What had to be left out of an answer. */
export type Left = Pick<Fitted, 'omitted' | 'shortened' | 'cut'>

/** What stands around the entries of an answer. */
export type Frame = {
  readonly head: string
  readonly tail: string
  /** Fields before and after the list of entries. */
  readonly before: JsonObject
  readonly after: JsonObject
}

/** What an answer may cost. */
export type AnswerBudget = {
  /** Tokens of text and structured content together. */
  readonly most: number
  /**
   * Tokens of the structured content, up to which it may hold more than it needs: some hosts show their model nothing
   * else. Absent: as many as there are.
   */
  readonly lean?: number
}

/** An answer to be fitted into a budget. */
type Outline = {
  readonly budget: AnswerBudget
  /** The place of the form in {@link Forms} that an entry should have wherever the budget allows. */
  readonly needed: number
  /** The field that holds the entries. */
  readonly list: string
  /** Best first. */
  readonly entries: readonly Forms[]
  /** Richest first; the last one must fit into the smallest budget. */
  readonly frames: readonly ((left: Left) => Frame)[]
}

/** The frame may take this share of the budget before a poorer one is used. */
const frameShare = 0.4

/**
 * Puts as much into an answer as its budget holds. The sizes of frame and entries add up exactly to the answer's,
 * so that the budget is kept by construction.
 */
export function fittedAnswer({ budget, needed, list, entries, frames }: Outline): ServedAnswer {
  const bytes = bytesWithin(budget.most)
  const sized = frames.map((frame) => ({ frame, bytes: largest(frame, list, entries.length) }))
  const chosen = sized.find((one) => one.bytes <= bytes * frameShare) ?? sized.at(-1)!
  const least = assemble(chosen.frame({ omitted: 0, shortened: false, cut: false }), list, []).structured
  const lean =
    budget.lean === undefined ? Number.POSITIVE_INFINITY : bytesWithin(budget.lean) - jsonBytes(least)
  const fitted = fitEntries(entries, { bytes: bytes - chosen.bytes, needed, lean })
  return assemble(chosen.frame(fitted), list, fitted.pieces)
}

/** The frame's size with whatever is left out: its texts differ by that. */
function largest(frame: (left: Left) => Frame, list: string, most: number): number {
  const lefts = [0, most].flatMap((omitted) =>
    [true, false].flatMap((shortened) => [true, false].map((cut) => ({ omitted, shortened, cut }))),
  )
  return Math.max(...lefts.map((left) => answerBytes(assemble(frame(left), list, []))))
}

function assemble(frame: Frame, list: string, pieces: readonly Piece[]): ServedAnswer {
  const lines = [frame.head, ...pieces.map(({ line }) => line), frame.tail]
  return {
    text: lines.filter((line) => line !== '').join('\n'),
    structured: { ...frame.before, [list]: pieces.map(({ structured }) => structured), ...frame.after },
  }
}

/** Bytes of an answer as a host may hand them to its model: text and structured content, as JSON. */
const answerBytes = ({ text, structured }: ServedAnswer): number =>
  jsonBytes({ content: [{ type: 'text', text }], structuredContent: structured })

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
type Fitted = {
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
function fitEntries(entries: readonly Forms[], { bytes, needed, lean }: Room): Fitted {
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

/**
 * Bytes of UTF-8 that one token is taken to hold.
 *
 * Which model reads an answer, and with it the tokenizer, is unknown here. The common ones need 3.4 to 4.2 bytes a
 * token for English prose and for JSON with word-like keys, and about 3 for Chinese; 3.2 lies near the low end, so
 * that an answer said to hold 1,500 tokens rarely holds more, and it needs no tokenizer to be loaded.
 */
const bytesPerToken = 3.2

/** Tokens a text of so many bytes is taken to cost: rather too many than too few. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / bytesPerToken)

/** The most bytes that cost at most so many tokens. */
const bytesWithin = (tokens: number): number => Math.floor(tokens * bytesPerToken)

/** Bytes of a value on the wire, as JSON. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value), 'utf8')

/** Bytes that a piece adds to a JSON string that holds it. */
const jsonTextBytes = (text: string): number => jsonBytes(text) - 2
