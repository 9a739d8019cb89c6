import type { JsonObject } from '../../domain/json.ts'
import { fitEntries, type Fitted, type Forms, type Piece } from './fit-entries.ts'
import type { ToolAnswer } from '../tools/tool.ts'
import { bytesWithin, jsonBytes } from './token-estimate.ts'

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
export type Budget = {
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
  readonly budget: Budget
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
export function fittedAnswer({ budget, needed, list, entries, frames }: Outline): ToolAnswer {
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

function assemble(frame: Frame, list: string, pieces: readonly Piece[]): ToolAnswer {
  const lines = [frame.head, ...pieces.map(({ line }) => line), frame.tail]
  return {
    text: lines.filter((line) => line !== '').join('\n'),
    structured: { ...frame.before, [list]: pieces.map(({ structured }) => structured), ...frame.after },
  }
}

/** Bytes of an answer as a host may hand them to its model: text and structured content, as JSON. */
const answerBytes = ({ text, structured }: ToolAnswer): number =>
  jsonBytes({ content: [{ type: 'text', text }], structuredContent: structured })
