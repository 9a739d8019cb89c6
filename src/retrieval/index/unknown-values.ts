import type { CardKind } from '../../domain/card.ts'
import type { CardColumns } from './card-columns.ts'
import type { CardFilter } from './card-filter.ts'
import { stringsIn } from './string-table.ts'

/** The filters whose values cards bring along, in the order they are told. */
const named = ['servers', 'tags'] as const

/** What a filter asks for of servers and tags. */
export type NamedValues = Pick<CardFilter, (typeof named)[number]>

/** Values of one filter that no card has. */
export type UnknownValues = {
  readonly filter: (typeof named)[number]
  /** At least one. */
  readonly unknown: readonly string[]
  /** Those that cards have, ascending. */
  readonly known: readonly string[]
}

/** Servers and tags that no card has, of whatever kind: such a filter admits nothing, or less than was meant. */
export function unknownValues(
  indexes: { readonly [kind in CardKind]: Pick<CardColumns, 'values'> },
  filter: NamedValues,
): readonly UnknownValues[] {
  return named.flatMap((name) => {
    const columns = Object.values(indexes).map(({ values }) => values[name])
    const isUnknown = (wanted: string): boolean => columns.every(({ meant }) => meant(wanted).length === 0)
    const unknown = (filter[name] ?? []).filter(isUnknown)
    if (unknown.length === 0) return []
    const known = columns.flatMap(({ table }) => [...stringsIn(table)])
    return [{ filter: name, unknown, known: [...new Set(known)].sort() }]
  })
}
