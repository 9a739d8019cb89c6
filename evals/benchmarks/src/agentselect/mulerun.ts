import { join } from 'node:path'
import {
  assembled,
  counted,
  type DatasetRecipe,
  wantedNames,
} from '../../../../src/evaluation/datasets/dataset.ts'
import { sameCapability } from './agentselect-equivalence.ts'
import { agentNotes, mergeFile, neededFile, readAgents, readQueries } from './agentselect-tables.ts'
import { fingerprintOf } from '../../../../src/evaluation/datasets/files.ts'
import { manifestOf } from '../manifest.ts'

/** Folders below which the authors lay the set out. */
const places = ['', 'MuleRun_Dataset', 'other/MuleRun_Section9.1/MuleRun_Dataset']
const tables = ['agents', 'questions', 'rankings'] as const

/**
 * The marketplace set of AgentSelect: 59 agents of MuleRun, each with its inferred tools, and 1,080 requests. Every request is asked of
 * the whole marketplace, and one agent serves it.
 *
 * @see AgentSelect, ICML 2026, section 9.1
 */
export const muleRun: DatasetRecipe = {
  name: 'mulerun',
  describes: 'The MuleRun marketplace of AgentSelect: requests over its 59 agents, each served by one',
  recognises: (path) => folderOf(path) !== undefined,
  async read(path, only) {
    const folder = folderOf(path) ?? path
    const { measures, notes = [] } = manifestOf('mulerun')
    const [name] = wantedNames('mulerun', ['marketplace'], only)
    const files = tables.map((table) => neededFile(folder, table))
    const { cards, dirty, unknownTools } = readAgents(folder, [''], 'described')
    const known = new Set(cards.map(({ id }) => id))
    const positives = { most: 1, grades: 'binary' } as const
    const { queries, lost } = readQueries(folder, '', { known, positives })
    const texts = ['Tools', 'LLMs'].flatMap((table) => mergeFile(folder, table) ?? [])
    return assembled(
      {
        name: 'mulerun',
        origin: `MuleRun, ${cards.length} agents (sha256 ${fingerprintOf([...files, ...texts])})`,
        parts: name === undefined ? [] : [{ name, kind: 'agent', cards, queries }],
        headline: measures,
        equivalence: sameCapability,
        notes: [
          ...notes,
          ...agentNotes(dirty.size, unknownTools),
          ...counted(
            lost,
            'query was left out: its agent is not there, or it has no text.',
            'queries were left out: their agents are not there, or they have no text.',
          ),
        ],
      },
      path,
    )
  },
}

/** Where the tables lie: in the folder itself or where the authors' repository has them. Parts of AgentSelect lie one deeper. */
const folderOf = (path: string): string | undefined =>
  places
    .map((place) => join(path, place))
    .find((folder) => tables.every((table) => mergeFile(folder, table) !== undefined))
