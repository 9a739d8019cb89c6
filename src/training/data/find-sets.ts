import { basename, dirname, join, resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { DatasetError } from '../../evaluation/dataset.ts'
import { fileIn, isFolder, namesIn } from '../../evaluation/datasets/files.ts'
import { firstRecord, type OnProblem, openOrReport } from './record-lines.ts'

/** A set as it lies on disk. `name` is that of its folder (tools) or of its file. */
export type FoundSet =
  | { readonly content: 'tools'; readonly name: string; readonly folder: string }
  | { readonly content: 'agents'; readonly name: string; readonly file: string }
  | { readonly content: 'queries'; readonly name: string; readonly file: string }

/**
 * The sets of some folders, in the order of the folders and of the names in them, none twice. Of a folder are read: its
 * own `tools.jsonl`; folders below it with `tools.jsonl`; catalogs of agents and queries over other sets (JSON Lines).
 * A folder without any of these is looked through one level deeper.
 *
 * @throws DatasetError when a folder does not exist
 */
export function findSets(folders: readonly string[], onProblem: OnProblem): readonly FoundSet[] {
  const found = new Map<string, FoundSet>()
  for (const folder of folders.map((each) => resolve(each))) {
    if (!isFolder(folder)) {
      throw new DatasetError(
        `${folder}: there is no such folder.`,
        'Give folders of tool sets, agents or queries.',
      )
    }
    const here = setsIn(folder, onProblem)
    const sets = here.length > 0 ? here : subfolders(folder).flatMap((each) => setsIn(each, onProblem))
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

const placeOf = (set: FoundSet): string => (set.content === 'tools' ? set.folder : set.file)

const subfolders = (folder: string): readonly string[] =>
  namesIn(folder)
    .map((name) => join(folder, name))
    .filter(isFolder)

const holdsTools = (folder: string): boolean => fileIn(folder, 'tools.jsonl') !== undefined

const toolSet = (folder: string): FoundSet => ({ content: 'tools', name: basename(folder), folder })

const toolSetsBelow = (folder: string): readonly FoundSet[] =>
  subfolders(folder).filter(holdsTools).map(toolSet)

function setsIn(folder: string, onProblem: OnProblem): readonly FoundSet[] {
  if (holdsTools(folder)) return [toolSet(folder)]
  return [...toolSetsBelow(folder), ...filesOf(folder, onProblem)]
}

function filesOf(folder: string, onProblem: OnProblem): readonly FoundSet[] {
  return namesIn(folder)
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name))
    .flatMap((fileName): FoundSet[] => {
      const file = join(folder, fileName)
      const document = openOrReport(file, onProblem)
      const content = document === undefined ? undefined : contentOf(firstRecord(document) ?? {})
      if (content === undefined) return []
      const stem = fileName.replace(/\.jsonl(?:\.gz)?$/, '')
      return [{ content, name: stem === 'queries' ? basename(folder) : stem, file }]
    })
}

/** What a file holds, by a record of it. */
function contentOf(record: JsonObject): 'agents' | 'queries' | undefined {
  if (typeof record.id !== 'string') return undefined
  if (typeof record.name === 'string' && isJsonObject(record.interface)) return 'agents'
  const namesAnswers = Array.isArray(record.relevant) || isJsonObject(record.relevant)
  return typeof record.query === 'string' && namesAnswers ? 'queries' : undefined
}
