import { printable } from '../../../domain/printable.ts'
import { planes, textColumns } from './columns.ts'
import { type DetailLevel, fullText } from './detail-level.ts'
import type { KeptQuery } from './kept-queries.ts'
import { wordCode } from './word-code.ts'

/** Matches as numbers, in this order. */
const matches = ['good', 'weak', 'none'] as const

/** A text cut to a length, marked where it was, and never within a surrogate pair. */
function cut(text: string, letters: number): string {
  if (text.length <= letters) return text
  const last = text.charCodeAt(letters - 2)
  return `${text.slice(0, last >= 0xd800 && last < 0xdc00 ? letters - 2 : letters - 1)}…`
}

/** An id as the page shows it: long enough to know it by. */
export const shownId = (id: string): string => cut(printable(id), 200)

/** A value of -1..1 in steps of a ten-thousandth; 0 stands for none. */
const stepped = (value: number | undefined): number =>
  value === undefined || !Number.isFinite(value)
    ? 0
    : Math.round(Math.max(-1, Math.min(1, value)) * 10_000) + 10_001

/** What the list of queries shows: one entry per query in each column. */
export type ListNames = {
  readonly parts: readonly string[]
  readonly groups: readonly string[]
  readonly measures: readonly string[]
}

/** The columns the page reads first. */
export function listColumns(kept: readonly KeptQuery[], names: ListNames, level: DetailLevel) {
  const [headline = ''] = names.measures
  const part = new Map(names.parts.map((name, number) => [name, number]))
  const group = new Map(names.groups.map((name, number) => [name, number + 1]))
  const column = (value: (query: KeptQuery) => number): Uint8Array => planes(kept.map(value))
  const { words, spaced, codes } = wordCode(
    kept.map(({ outcome, full }) => cut(printable(outcome.text), full ? fullText : level.letters)),
  )
  return {
    ...textColumns('spelling', words),
    spaced: planes(spaced),
    text: codes,
    ...textColumns(
      'query',
      kept.map(({ outcome }) => shownId(outcome.id)),
    ),
    part: column(({ outcome }) => part.get(outcome.part) ?? 0),
    group: column(({ outcome }) => (outcome.group === undefined ? 0 : (group.get(outcome.group) ?? 0))),
    match: column(({ outcome }) => matches.indexOf(outcome.match)),
    tokens: column(({ outcome }) => Math.max(0, Math.round(outcome.tokens))),
    baseline: column(({ baseline }) => stepped(baseline?.measures[headline])),
    ...Object.fromEntries(
      names.measures.map((measure, number) => [
        `measure.${number}`,
        column(({ outcome }) => stepped(outcome.measures[measure])),
      ]),
    ),
  }
}
