import { basename, join } from 'node:path'
import { identify, keyOf, sourceIdOf } from '../../../src/catalog/identity.ts'
import { livemcpbench as reader } from '../../../src/catalog/readers/livemcpbench.ts'
import type { Card } from '../../../src/domain/card.ts'
import { isJsonObject, type JsonObject } from '../../../src/domain/json.ts'
import {
  assembled,
  counted,
  DatasetError,
  type DatasetRecipe,
  type JudgedQuery,
  wantedNames,
} from '../../../src/evaluation/datasets/dataset.ts'
import { fileIn, fingerprintOf, jsonOf, namesIn, openFile } from '../../../src/evaluation/datasets/files.ts'
import { isFolder } from '../../../src/domain/paths.ts'
import { manifestOf } from './manifest.ts'

const source = sourceIdOf('livemcpbench')

/**
 * LiveMCPBench: annotated tasks over the tools of real MCP servers, at the level of tools and of servers. A task's
 * tools are annotated by name; where several servers have a tool of that name, any of them serves.
 *
 * @see Mo et al., LiveMCPBench, 2025
 */
export const livemcpbench: DatasetRecipe = {
  name: 'livemcpbench',
  describes: 'LiveMCPBench: its tools.json and annotated tasks, in one folder or as in its repository',
  recognises: (path) => isFolder(path) && toolsFile(path) !== undefined && annotationFile(path) !== undefined,
  async read(path, only) {
    const tools = toolsFile(path)
    const annotations = annotationFile(path)
    if (tools === undefined || annotations === undefined) {
      throw new DatasetError(
        `${path}: no ${tools === undefined ? 'tools.json' : 'all_annotations.json'} of LiveMCPBench.`,
        'Give the folder with both files, or the root of its repository.',
      )
    }
    const wanted = wantedNames('livemcpbench', ['tools', 'servers'], only)
    const cards = readCards(tools)
    const tasks = readTasks(annotations).map((task) => ({ task, steps: annotatedTools(task) }))
    const find = toolFinder(cards)
    const judged = tasks.map(({ task, steps }) => ({
      task,
      found: steps.map(find).filter((ids) => ids.length > 0),
      lost: steps.filter((step) => find(step).length === 0).length,
    }))
    const answerable = judged.filter(({ found }) => found.length > 0)
    const parts = [
      {
        name: 'tools',
        kind: 'tool' as const,
        queries: answerable.map(({ task, found }) => toolQuery(task, found)),
      },
      {
        name: 'servers',
        kind: 'agent' as const,
        queries: answerable.map(({ task, found }) => serverQuery(task, found, cards)),
      },
    ]
    const { measures, notes = [] } = manifestOf('livemcpbench')
    return assembled(
      {
        name: 'livemcpbench',
        origin: `LiveMCPBench, ${tasks.length} tasks (sha256 ${fingerprintOf([tools, annotations])})`,
        parts: parts.filter(({ name }) => wanted.includes(name)).map((part) => ({ ...part, cards })),
        headline: measures,
        notes: [
          ...notes,
          ...counted(
            tasks.length - answerable.length,
            'task was left out: none of its annotated tools is in tools.json.',
            'tasks were left out: none of their annotated tools is in tools.json.',
          ),
          ...counted(
            answerable.reduce((sum, { lost }) => sum + lost, 0),
            'annotated tool is not in tools.json and does not count.',
            'annotated tools are not in tools.json and do not count.',
          ),
        ],
      },
      path,
    )
  },
}

const toolsFile = (path: string): string | undefined =>
  fileIn(path, 'tools.json', 'tools/LiveMCPTool/tools.json') ??
  namedIn(path, (name) => name.startsWith('tools') && name.endsWith('.json'))

const annotationFile = (path: string): string | undefined =>
  fileIn(path, 'all_annotations.json', 'annotated_data/all_annotations.json') ??
  namedIn(path, (name) => name.includes('annotation') && name.endsWith('.json'))

const namedIn = (path: string, isIt: (name: string) => boolean): string | undefined => {
  const name = namesIn(path).find(isIt)
  return name === undefined ? undefined : join(path, name)
}

function readCards(path: string): readonly Card[] {
  const document = openFile(path)
  if (!reader.recognises(document)) {
    throw new DatasetError(
      `${path}: this is not LiveMCPBench's list of tools.`,
      'Give the folder with its tools.json.',
    )
  }
  const { cards } = reader.read(document)
  const origin = { reader: reader.name, location: path }
  return identify(
    source,
    cards.map((draft) => ({ draft, origin })),
  ).cards
}

function readTasks(path: string): readonly JsonObject[] {
  const json = jsonOf(path)
  const tasks = (Array.isArray(json) ? json : []).filter(isJsonObject)
  if (tasks.some((task) => typeof task.Question === 'string')) return tasks
  throw new DatasetError(
    `${path}: no task with a "Question" in ${basename(path)}.`,
    'Give the folder with LiveMCPBench’s all_annotations.json.',
  )
}

/** The annotated tools of a task, which stand as a numbered list in one text. */
function annotatedTools(task: JsonObject): readonly string[] {
  const metadata = task['Annotator Metadata']
  const listed = isJsonObject(metadata) && typeof metadata.Tools === 'string' ? metadata.Tools : ''
  const names = listed.split(/\r?\n/).map((line) => line.replace(/^\s*(?:\d+[.):]|[-*•])?\s*/, '').trim())
  return [...new Set(names.filter((name) => name !== ''))]
}

/**
 * Finds the tools an annotation means, as card ids: by the name itself, else without what stands in brackets after it,
 * else whatever the case and the separators.
 */
function toolFinder(cards: readonly Card[]): (name: string) => readonly string[] {
  const exact = new Map<string, string[]>()
  const loose = new Map<string, string[]>()
  for (const { id, kind, name } of cards) {
    if (kind !== 'tool') continue
    exact.set(name, [...(exact.get(name) ?? []), id])
    loose.set(loosely(name), [...(loose.get(loosely(name)) ?? []), id])
  }
  return (name) => {
    const bare = name.replace(/[([（].*/s, '').trimEnd()
    return exact.get(name) ?? exact.get(bare) ?? loose.get(loosely(bare)) ?? []
  }
}

const loosely = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const toolQuery = (task: JsonObject, found: readonly (readonly string[])[]): JudgedQuery => ({
  ...textOf(task),
  grades: new Map(found.flat().map((id) => [id, 1])),
  needs: found,
})

/** The same task asked of servers: whoever has one of the tools serves that step. */
function serverQuery(
  task: JsonObject,
  found: readonly (readonly string[])[],
  cards: readonly Card[],
): JudgedQuery {
  const serverOf = new Map(
    cards.flatMap((card) =>
      card.kind === 'tool' && card.server !== undefined ? [[card.id, `${source}/${keyOf(card.server)}`]] : [],
    ),
  )
  const needs = found.map((ids) => [...new Set(ids.flatMap((id) => serverOf.get(id) ?? []))])
  const text = textOf(task)
  return { ...text, id: `${text.id}@servers`, grades: new Map(needs.flat().map((id) => [id, 1])), needs }
}

const textOf = (task: JsonObject): Pick<JudgedQuery, 'id' | 'text' | 'group'> => ({
  id: String(task.task_id ?? task.Question),
  text: String(task.Question),
  ...(typeof task.category === 'string' && task.category !== '' ? { group: task.category } : {}),
})
