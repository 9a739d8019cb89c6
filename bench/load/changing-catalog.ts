import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Tools that every revision has more than the one before: the size of the catalog tells the revision. */
const growth = 7
/** The word that only witnesses have. */
const mark = 'quorvex'

/** A corpus on disk that goes from revision to revision. */
export type ChangingCatalog = {
  /** The folder to index. */
  readonly folder: string
  /** Of the files as they are; 0 at first. */
  revision(): number
  /** Tools that the index has at a revision, given how many it had at revision 0. */
  sizeAt(revision: number, atFirst: number): number
  /**
   * Writes the next revision: every hundredth tool of each set has another description, one witness in each set is
   * replaced by that of the new revision, and there are {@link growth} tools more.
   */
  advance(): void
}

/** A query whose best answers are the witnesses of the catalog's revision. */
export const witnessQuery = `${mark} of the present revision`

/** The revision that a witness's id tells; null for other tools. */
export const revisionOfWitness = (id: string): number | null => {
  const found = new RegExp(`${mark}-r(\\d+)-`).exec(id)
  return found === null ? null : Number(found[1])
}

type Line = { readonly id: string; readonly documentation: { readonly [field: string]: unknown } }

/** Takes over a corpus written by `writeCorpus`, and writes its revision 0. */
export function changingCatalog(folder: string): ChangingCatalog {
  const sets = readdirSync(folder).sort()
  const fileOf = (set: string): string => join(folder, set, 'tools.jsonl')
  const linesOf = new Map(sets.map((set) => [set, readFileSync(fileOf(set), 'utf8').trimEnd().split('\n')]))
  let revision = 0
  const write = (): void => {
    const grown = growth * revision
    sets.forEach((set, place) => {
      const own = linesOf.get(set)!.map((line, index) => (index % 100 === 0 ? changed(line, revision) : line))
      const added = Array.from({ length: grown }, (_, index) => index)
        .filter((index) => index % sets.length === place)
        .map((index) => grownTool(index))
      writeFileSync(
        fileOf(set),
        `${[...own, ...added, ...witnesses(place, sets.length, revision)].join('\n')}\n`,
      )
    })
  }
  write()
  return {
    folder,
    revision: () => revision,
    sizeAt: (at, atFirst) => atFirst + growth * at,
    advance() {
      revision += 1
      write()
    },
  }
}

const changed = (line: string, revision: number): string => {
  if (revision === 0) return line
  const { id, documentation } = JSON.parse(line) as Line
  const description = `${String(documentation.description ?? '')} Described anew in revision ${revision}.`
  return JSON.stringify({ id, documentation: { ...documentation, description } })
}

const grownTool = (index: number): string =>
  JSON.stringify({
    id: `grown-${index}`,
    documentation: {
      name: `grown_tool_${index}`,
      description: `Weighs parcel number ${index} on scale ${index}.`,
    },
  })

/** What witnesses do: nothing alike, so that none is folded into another. */
const deeds = [
  'rewinds the harbour clock before the ferry leaves',
  'paints railings along a canal in winter',
  'counts swallows under the station roof',
  'sharpens skates for the evening lesson',
  'files letters of a retired conductor',
]

/** One witness in each of the first five sets; all of them in the only set. */
function witnesses(place: number, sets: number, revision: number): string[] {
  return deeds
    .map((deed, index) => ({ deed, index }))
    .filter(({ index }) => index % sets === place)
    .map(({ deed, index }) =>
      JSON.stringify({
        id: `${mark}-r${revision}-${index}`,
        documentation: {
          name: `${mark}_${index}`,
          description: `The ${mark} ${deed}, revision ${revision}.`,
        },
      }),
    )
}
