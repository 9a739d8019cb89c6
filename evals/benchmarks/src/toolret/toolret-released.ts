import { basename, join } from 'node:path'
import { identify, keyOf } from '../../../../src/catalog/identity.ts'
import { toolretJsonl } from '../../../../src/catalog/readers/toolret-jsonl.ts'
import { documentFromText } from '../../../../src/catalog/source-document.ts'
import type { Card } from '../../../../src/domain/card.ts'
import type { JsonObject } from '../../../../src/domain/json.ts'
import {
  assembled,
  counted,
  type Dataset,
  type DatasetPart,
  wantedNames,
} from '../../../../src/evaluation/datasets/dataset.ts'
import { fingerprintOf, recordsOf } from '../../../../src/evaluation/datasets/files.ts'
import { manifestOf } from '../manifest.ts'
import { tableFiles } from '../table-files.ts'
import { labelledTools, leftOut, toolretQueries } from './toolret-records.ts'

/** Files of the released form: tables of queries by task, tables of tools by category. */
type ReleasedFiles = {
  readonly queries: ReadonlyMap<string, readonly string[]>
  readonly tools: readonly string[]
}

/** Whether a folder holds ToolRet as released: at least one table of tools and one of queries. */
export function holdsReleasedToolret(path: string): boolean {
  const { queries, tools } = releasedFiles(path)
  return queries.size > 0 && tools.length > 0
}

/**
 * Reads the released form. A task is asked of the tool sets that its labels come from: a tool's set is its id up to
 * `_tool_`, and some tasks share one. All tasks read together, joined, are the corpus of the paper's tables; with
 * `join`, the tools of sets that no task reads are joined to them.
 */
export async function readReleasedToolret(
  path: string,
  only: readonly string[],
  distractors: string,
): Promise<Dataset> {
  const files = releasedFiles(path)
  const { categories = {}, measures, notes = [], reranking: published = [] } = manifestOf('toolret')
  const categoryOf = new Map(
    Object.entries(categories).flatMap(([name, tasks]) => tasks.map((task) => [task, name])),
  )
  const wanted = wantedNames('toolret', [...files.queries.keys()], only)
  const { cardsOf, unread } = await readTools(files.tools)
  const ids = new Set([...cardsOf.values()].flat().map(({ id }) => id))
  const cardIdOf = (toolId: string): string | undefined => {
    const id = `${setOf(toolId)}/${keyOf(toolId)}`
    return ids.has(id) ? id : undefined
  }

  const read = []
  const corpora = new Map<string, readonly Card[]>()
  const asked = new Set<string>()
  for (const task of wanted) {
    const records = await allRecords(files.queries.get(task) ?? [])
    const sets = [...new Set(records.flatMap(labelledTools).map(setOf))]
      .filter((set) => cardsOf.has(set))
      .sort()
    for (const set of sets) asked.add(set)
    const corpus = sets.join(' ')
    if (!corpora.has(corpus))
      corpora.set(
        corpus,
        sets.flatMap((set) => cardsOf.get(set) ?? []),
      )
    const { queries, ...left } = toolretQueries(records, cardIdOf)
    const part: DatasetPart = {
      name: task,
      ...(categoryOf.has(task) ? { category: categoryOf.get(task)! } : {}),
      kind: 'tool',
      cards: corpora.get(corpus)!,
      queries,
    }
    read.push({ part, ...left })
  }

  const others = [...cardsOf.keys()].filter((set) => !asked.has(set)).sort()
  const joins = distractors !== 'leave-out' && others.length > 0
  const bare: DatasetPart = {
    name: 'other tools',
    kind: 'tool',
    cards: others.flatMap((set) => cardsOf.get(set) ?? []),
    queries: [],
  }
  const wantedFiles = [...wanted.flatMap((task) => files.queries.get(task) ?? []), ...files.tools]
  return assembled(
    {
      name: 'toolret',
      origin: `ToolRet as released, ${wanted.length} tasks (sha256 ${fingerprintOf(wantedFiles)})`,
      parts: [
        ...read.map(({ part }) => part).filter(({ queries }) => queries.length > 0),
        ...(joins ? [bare] : []),
      ],
      headline: measures,
      published,
      notes: [
        ...notes,
        ...leftOut(read),
        ...counted(
          unread,
          'tool record has no documentation, or an id that came before; it was left out.',
          'tool records have no documentation, or an id that came before; they were left out.',
        ),
        ...(joins ? [`Tools of ${others.join(', ')} join the corpus.`] : []),
        ...(others.length > 0 && !joins
          ? [
              `Tools of ${others.join(', ')} are left out, which the corpus of the paper holds: --set distractors=join adds them.`,
            ]
          : []),
      ],
    },
    path,
  )
}

/** The set a tool belongs to by its id: `toolbench` of `toolbench_tool_7`. */
const setOf = (toolId: string): string => keyOf(/^(.*)_tool_[^_]*$/s.exec(toolId)?.[1] ?? 'tools')

/** Cards by tool set, and how many records could not be read. Tools of all categories are read: a task may be asked of a set in another category's table. */
async function readTools(paths: readonly string[]) {
  const bySet = new Map<string, JsonObject[]>()
  for (const path of paths) {
    const category = categoryNamed(path)
    for (const record of await recordsOf(path)) {
      const set = setOf(String(record.id))
      const records = bySet.get(set) ?? []
      records.push(category === undefined ? record : { category, ...record })
      bySet.set(set, records)
    }
  }
  let unread = 0
  const cardsOf = new Map(
    [...bySet].map(([set, records]): [string, readonly Card[]] => {
      const lines = records.map((record) => JSON.stringify(record)).join('\n')
      const { cards } = toolretJsonl.read(documentFromText(`${set}/tools.jsonl`, lines))
      unread += records.length - cards.length
      const origin = { reader: toolretJsonl.name, location: 'ToolRet-Tools' }
      return [
        set,
        identify(
          set,
          cards.map((draft) => ({ draft, origin })),
        ).cards,
      ]
    }),
  )
  return { cardsOf, unread }
}

async function allRecords(paths: readonly string[]): Promise<readonly JsonObject[]> {
  return (await Promise.all(paths.map(recordsOf))).flat()
}

/** Sorts the tables below a folder by what their path names: a task of ToolRet, or one of its categories. */
function releasedFiles(path: string): ReleasedFiles {
  const queries = new Map<string, string[]>()
  const tools: string[] = []
  const { categories = {} } = manifestOf('toolret')
  const tasks = new Set(Object.values(categories).flat())
  for (const file of tableFiles(path)) {
    const names = namesOf(file)
    const task = names.find((name) => tasks.has(name))
    if (task !== undefined) queries.set(task, [...(queries.get(task) ?? []), join(path, file)])
    else if (names.some((name) => name in categories)) tools.push(join(path, file))
  }
  return { queries: new Map([...queries].sort(([a], [b]) => (a < b ? -1 : 1))), tools }
}

const categoryNamed = (path: string): string | undefined => {
  const { categories = {} } = manifestOf('toolret')
  return namesOf(path)
    .reverse()
    .find((name) => name in categories)
}

/** Folders of a path, and its file without shard number and ending. */
const namesOf = (path: string): string[] => {
  const folders = path.split(/[/\\]/)
  const stem = basename(folders.pop() ?? '').replace(
    /(?:-\d{5}-of-\d{5})?\.(?:parquet|jsonl|json)(?:\.gz)?$/i,
    '',
  )
  return [...folders, stem]
}
