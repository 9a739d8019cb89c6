import { type CardColumns, familySizes, namedValues } from './card-columns.ts'
import { type Documents, inSegments, livePlaces } from './documents.ts'
import { type StringTable, stringsIn, tableOf } from './string-table.ts'

/** The columns of several segments as those of one: values that several have stand once, and those that no live card has are gone. */
export function joinedColumns(segments: readonly CardColumns[], documents: Documents): CardColumns {
  const { size, ids } = documents
  const { servers, sources, tags, familyOf } = joinedValues(segments, documents)
  const columnOf = inSegments(segments, documents)
  const numbersOf = (lists: readonly Uint32Array[]): Uint32Array =>
    Uint32Array.from(lists.flatMap((list, at) => Array.from(list, (place) => documents.numberOf(at, place))))
      .filter((number) => number < size)
      .sort()
  const family = (document: number): number => {
    const at = documents.segmentOf(document)
    return familyOf[at]!(segments[at]!.family(documents.placeOf(document)))
  }

  return {
    size,
    ids,
    family,
    sources: sources.table,
    values: namedValues({ servers: servers.table, tags: tags.table }),
    familySize: familySizes({ size, family }, servers.table.size + sources.table.size),
    source: columnOf((columns, place) => columns.source(place)),
    publisher: columnOf((columns, place) => columns.publisher(place)),
    signature: columnOf((columns, place) => columns.signature(place)),
    isTool: columnOf((columns, place) => columns.isTool(place)),
    effect: columnOf((columns, place) => columns.effect(place)),
    declaresEffect: columnOf((columns, place) => columns.declaresEffect(place)),
    ownersOf: (tool) => numbersOf(segments.map((segment) => segment.ownersOf(tool))),
    taggedWith: (tag) =>
      numbersOf(
        segments.map((segment) => {
          const place = segment.values.tags.table.indexOf(tags.table.at(tag))
          return place < 0 ? new Uint32Array(0) : segment.taggedWith(place)
        }),
      ),
    admit(filter) {
      const admitted = segments.map((segment) => segment.admit(filter))
      if (admitted.every((one) => one === null)) return null
      return Uint8Array.from({ length: size }, (_, document) => {
        const own = admitted[documents.segmentOf(document)]!
        return own === null ? 1 : own[documents.placeOf(document)]!
      })
    },
  }
}

/** Strings of several tables in one, and the number that each has there. */
type JoinedTables = { readonly table: StringTable; readonly numbers: readonly Uint32Array[] }

/** @param tables.used - the strings that stay; null: all */
function joinedTables(
  tables: readonly { readonly table: StringTable; readonly used: ReadonlySet<number> | null }[],
): JoinedTables {
  const texts = tables.map(({ table }) => [...stringsIn(table)])
  const kept = tables.flatMap(({ used }, at) => texts[at]!.filter((_, place) => used?.has(place) ?? true))
  const distinct = [...new Set(kept)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const numberOf = new Map(distinct.map((text, number) => [text, number]))
  return {
    table: tableOf(distinct),
    numbers: texts.map((own) => Uint32Array.from(own, (text) => numberOf.get(text) ?? 0)),
  }
}

/** Values of all segments, and the number of a family by that in its segment. */
function joinedValues(segments: readonly CardColumns[], documents: Documents) {
  const live = segments.map(({ size }, at) => livePlaces(size, documents.live[at]!))
  const servers = joinedTables(
    segments.map(({ values, family }, at) => {
      const { table } = values.servers
      return { table, used: new Set(live[at]!.map(family).filter((own) => own < table.size)) }
    }),
  )
  const sources = joinedTables(segments.map((segment) => ({ table: segment.sources, used: null })))
  const tags = joinedTables(
    segments.map((segment, at) => {
      const isLive = documents.live[at]!
      const all = Array.from({ length: segment.values.tags.table.size }, (_, tag) => tag)
      const used =
        isLive === null
          ? null
          : new Set(all.filter((tag) => segment.taggedWith(tag).some((place) => isLive[place] === 1)))
      return { table: segment.values.tags.table, used }
    }),
  )
  const familyOf = segments.map(({ values }, at) => {
    const own = values.servers.table.size
    return (family: number): number =>
      family < own ? servers.numbers[at]![family]! : servers.table.size + sources.numbers[at]![family - own]!
  })
  return { servers, sources, tags, familyOf }
}
