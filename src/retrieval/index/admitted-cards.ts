import type { CardFilter } from './card-filter.ts'
import type { StringTable } from './string-table.ts'

/** Bits of a card's flags that filters ask for. */
export const runnableFlag = 1
export const readOnlyFlag = 2

/** The values of a column that callers name in words of their own. */
export type NamedColumn = {
  /** The distinct values. */
  readonly table: StringTable
  /** Places in the table of what a word means; none for a word that means nothing. */
  meant(wanted: string): readonly number[]
}

type CodedColumn = { readonly table: StringTable; readonly codes: Uint32Array }

/** What filters name, by document number. */
type FilteredColumns = {
  readonly ids: StringTable
  readonly flags: Uint8Array
  readonly sources: CodedColumn
  readonly kinds: CodedColumn
  readonly servers: CodedColumn
  /** Documents with a tag, by its place in the table. */
  readonly tags: { at(place: number): Uint32Array }
  readonly named: { readonly [column in 'tags' | 'servers']: NamedColumn }
}

/** @returns what gives one byte per document, 1 = admitted; null when the filter admits everything */
export const admitting =
  (columns: FilteredColumns) =>
  (filter: CardFilter): Uint8Array | null => {
    const { ids, kinds, named } = columns
    const { sources, tags, agentKinds, servers, hasRuntime, readOnly, exclude, only } = filter
    const isOpen = [sources, tags, agentKinds, servers, exclude].every((list) => !list?.length)
    if (isOpen && hasRuntime === undefined && readOnly === undefined && only === undefined) return null
    const admitted = new Uint8Array(ids.size).fill(only === undefined ? 1 : 0)
    for (const id of only ?? []) {
      const document = ids.indexOf(id)
      if (document >= 0) admitted[document] = 1
    }
    if (sources?.length) keepCoded(admitted, columns.sources.codes, exactly(columns.sources, sources))
    // A tool has no agent kind and an agent no server: such a filter says nothing about the other kind of card. Every
    // agent has a kind, so that the kinds tell which cards these are; tools without any server are none of these.
    if (agentKinds?.length && kinds.table.size > 0)
      keepCoded(admitted, kinds.codes, exactly(kinds, agentKinds))
    if (servers?.length && kinds.table.size === 0)
      keepCoded(admitted, columns.servers.codes, servers.flatMap(named.servers.meant))
    if (tags?.length) keepTagged(admitted, tags, columns)
    if (hasRuntime !== undefined) keepFlagged(admitted, columns.flags, [runnableFlag, hasRuntime])
    if (readOnly !== undefined) keepFlagged(admitted, columns.flags, [readOnlyFlag, readOnly])
    for (const id of exclude ?? []) {
      const document = ids.indexOf(id)
      if (document >= 0) admitted[document] = 0
    }
    return admitted
  }

const exactly = ({ table }: CodedColumn, wanted: readonly string[]): readonly number[] =>
  wanted.map((value) => table.indexOf(value))

function keepCoded(admitted: Uint8Array, codes: Uint32Array, wanted: readonly number[]): void {
  const kept = new Set(wanted)
  for (let document = 0; document < admitted.length; document++)
    if (!kept.has(codes[document]!)) admitted[document] = 0
}

function keepFlagged(
  admitted: Uint8Array,
  flags: Uint8Array,
  [flag, wanted]: readonly [number, boolean],
): void {
  for (let document = 0; document < admitted.length; document++)
    if (((flags[document]! & flag) !== 0) !== wanted) admitted[document] = 0
}

function keepTagged(
  admitted: Uint8Array,
  wanted: readonly string[],
  { tags, named }: Pick<FilteredColumns, 'tags' | 'named'>,
): void {
  const tagged = new Uint8Array(admitted.length)
  for (const place of wanted.flatMap(named.tags.meant))
    for (const document of tags.at(place)) tagged[document] = 1
  for (let document = 0; document < admitted.length; document++)
    admitted[document] = admitted[document]! & tagged[document]!
}
