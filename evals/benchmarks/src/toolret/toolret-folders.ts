import { basename, dirname, join } from 'node:path'
import { identify, keyOf } from '../../../../src/catalog/identity.ts'
import { toolretJsonl } from '../../../../src/catalog/readers/toolret-jsonl.ts'
import type { Card } from '../../../../src/domain/card.ts'
import { DatasetError, type DatasetPart } from '../../../../src/evaluation/datasets/dataset.ts'
import { evaluationSplits } from './dev-sets.ts'
import { fileIn, jsonLinesOf, namesIn, openFile } from '../../../../src/evaluation/datasets/files.ts'
import { type LeftOut, toolretQueries } from './toolret-records.ts'

/** Which of the published splits of a set are read. */
export type Splits = 'evaluation' | 'all'

/** A set as it lies in a folder of its own, and what was left out of it. */
type ToolretSet = LeftOut & { readonly part: DatasetPart; readonly files: readonly string[] }

/**
 * The sets below a folder, each a folder with `tools.jsonl` and perhaps `queries.jsonl`, packed or not; or the folder
 * itself when it is such a set.
 */
export function toolretSetNames(folder: string): {
  readonly root: string
  readonly names: readonly string[]
} {
  if (toolFile(folder) !== undefined) return { root: dirname(folder), names: [basename(folder)] }
  return {
    root: folder,
    names: namesIn(folder).filter((name) => toolFile(join(folder, name)) !== undefined),
  }
}

/** Tools of one set as cards of the source named after it; none when it has no file of tools. */
export function readToolretTools(root: string, name: string): readonly Card[] {
  const file = toolFile(join(root, name))
  if (file === undefined) return []
  const { cards, problems } = toolretJsonl.read(openFile(file))
  const broken = problems.find(({ severity }) => severity === 'error')
  if (broken !== undefined) {
    throw new DatasetError(
      `${broken.file}${broken.field === undefined ? '' : `, ${broken.field}`}: ${broken.message}.`,
      broken.remedy,
    )
  }
  const origin = { reader: toolretJsonl.name, location: file }
  return identify(
    name,
    cards.map((draft) => ({ draft, origin })),
  ).cards
}

/** One set. Its category is that of most of its tools. */
export function readToolretSet(root: string, name: string, splits: Splits = 'evaluation'): ToolretSet {
  const cards = readToolretTools(root, name)
  const ids = new Set(cards.map(({ id }) => id))
  const cardIdOf = (toolId: string): string | undefined => {
    const id = `${name}/${keyOf(toolId)}`
    return ids.has(id) ? id : undefined
  }
  const file = queryFile(join(root, name))
  const wanted = splits === 'all' ? undefined : evaluationSplits.get(name)
  const records = (file === undefined ? [] : jsonLinesOf(file)).filter(
    ({ split }) => wanted === undefined || (typeof split === 'string' && wanted.includes(split)),
  )
  const { queries, ...left } = toolretQueries(records, cardIdOf)
  return {
    part: { name, ...categorised(cards), kind: 'tool', cards, queries },
    files: [toolFile(join(root, name)), file].flatMap((path) => path ?? []),
    ...left,
  }
}

/** The tools of a set whose queries are not asked: they join the corpus of others. */
export function readToolretRivals(root: string, name: string): Pick<ToolretSet, 'part' | 'files'> {
  const cards = readToolretTools(root, name)
  const part: DatasetPart = { name, ...categorised(cards), kind: 'tool', cards, queries: [] }
  return { part, files: [toolFile(join(root, name))].flatMap((path) => path ?? []) }
}

const toolFile = (folder: string): string | undefined => fileIn(folder, 'tools.jsonl')

/** The file of a set's queries; undefined for a set of tools alone. */
export const queryFile = (folder: string): string | undefined => fileIn(folder, 'queries.jsonl')

/** The category of most of them. */
function categorised(cards: readonly Card[]): Pick<DatasetPart, 'category'> {
  const category = commonest(cards.map(({ provenance }) => provenance.details?.category))
  return category === undefined ? {} : { category }
}

function commonest(values: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
