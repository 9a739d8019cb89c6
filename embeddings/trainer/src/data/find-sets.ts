import { basename, dirname, join, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '../../../../src/domain/json.ts'
import { DatasetError } from '../../../../src/evaluation/datasets/dataset.ts'
import { fileIn, hubSnapshot, namesIn } from '../../../../src/evaluation/datasets/files.ts'
import { isFolder } from '../../../../src/domain/paths.ts'
import { type PairSet, pairOf, pairSets, tablesOfPairs } from './pair-files.ts'
import { firstRecord, type OnProblem, openOrReport } from './record-lines.ts'

/** A set as it lies on disk. `name` is that of its folder (tools) or of its file. */
export type FoundSet =
  | { readonly content: 'tools'; readonly name: string; readonly folder: string }
  | { readonly content: 'agents'; readonly name: string; readonly file: string }
  | { readonly content: 'queries'; readonly name: string; readonly file: string }
  | PairSet

/**
 * The sets of some folders, in the order of the folders and of the names in them, none twice. Of a folder are read: its
 * own `tools.jsonl`; folders below it with `tools.jsonl`; catalogs of agents and queries over other sets (JSON Lines); tables of
 * queries with the documentations that serve them, as ToolRet-train is released. A folder without any of these is looked through one
 * level deeper.
 *
 * @throws DatasetError when a folder does not exist
 */
export async function findSets(
  folders: readonly string[],
  onProblem: OnProblem,
): Promise<readonly FoundSet[]> {
  const found = new Map<string, FoundSet>()
  for (const given of folders.map((each) => resolve(each))) {
    const folder = hubSnapshot(given) ?? given
    if (!isFolder(folder)) {
      throw new DatasetError(
        `${folder}: there is no such folder.`,
        'Give folders of tool sets, agents or queries.',
      )
    }
    const here = await setsIn(folder, onProblem)
    const deeper = here.length > 0 ? [] : subfolders(folder).map((each) => setsIn(each, onProblem))
    const sets = [...here, ...(await Promise.all(deeper)).flat()]
    if (sets.length === 0) {
      onProblem({
        severity: 'error',
        file: folder,
        message: 'holds no tool set (tools.jsonl), no catalog of agents and no queries',
        remedy: 'Give the folder that holds them.',
      })
    }
    for (const set of sets) found.set(placeOf(set), set)
  }
  return [...found.values()]
}

/** Tool sets beside those that were given by themselves: among them may be ones that are kept apart. */
export function setsBeside(found: readonly FoundSet[]): readonly FoundSet[] {
  const given = new Set(found.map(placeOf))
  const around = new Set(found.flatMap((set) => (set.content === 'tools' ? dirname(set.folder) : [])))
  return [...around].flatMap(toolSetsBelow).filter((set) => !given.has(placeOf(set)))
}

const placeOf = (set: FoundSet): string => {
  if (set.content === 'tools') return set.folder
  return set.content === 'pairs' ? set.files.join() : set.file
}

const subfolders = (folder: string): readonly string[] =>
  namesIn(folder)
    .map((name) => join(folder, name))
    .filter(isFolder)
    .map((each) => hubSnapshot(each) ?? each)

const holdsTools = (folder: string): boolean => fileIn(folder, 'tools.jsonl') !== undefined

const toolSet = (folder: string): FoundSet => ({ content: 'tools', name: basename(folder), folder })

const toolSetsBelow = (folder: string): readonly FoundSet[] =>
  subfolders(folder).filter(holdsTools).map(toolSet)

async function setsIn(folder: string, onProblem: OnProblem): Promise<readonly FoundSet[]> {
  if (holdsTools(folder)) return [toolSet(folder)]
  const { sets, pairs } = linesIn(folder, onProblem)
  return [
    ...toolSetsBelow(folder),
    ...sets,
    ...pairSets([...pairs, ...(await tablesOfPairs(folder, onProblem))]),
  ]
}

/** Names of files after which no set is called: it has that of its folder. */
const saysNothing = new Set(['queries', 'requests'])

/** JSON Lines files, of which those that hold pairs are told apart: shards of one table are one set. */
function linesIn(folder: string, onProblem: OnProblem) {
  const sets: FoundSet[] = []
  const pairs: string[] = []
  for (const fileName of namesIn(folder).filter((name) => /\.jsonl(?:\.gz)?$/.test(name))) {
    const file = join(folder, fileName)
    const document = openOrReport(file, onProblem)
    const record = document === undefined ? undefined : firstRecord(document)
    const content = contentOf(record ?? {})
    const stem = fileName.replace(/\.jsonl(?:\.gz)?$/, '')
    if (content !== undefined)
      sets.push({ content, name: saysNothing.has(stem) ? basename(folder) : stem, file })
    else if (record !== undefined && pairOf(record) !== undefined) pairs.push(file)
  }
  return { sets, pairs }
}

/** What a file holds, by a record of it. */
function contentOf(record: JsonObject): 'agents' | 'queries' | undefined {
  if (typeof record.id !== 'string') return undefined
  if (typeof record.name === 'string' && isJsonObject(record.interface)) return 'agents'
  const namesAnswers = Array.isArray(record.relevant) || isJsonObject(record.relevant)
  return typeof record.query === 'string' && namesAnswers ? 'queries' : undefined
}
