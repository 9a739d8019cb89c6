import { join } from 'node:path'
import { isFile } from '../../../src/domain/paths.ts'
import {
  assembled,
  chosenSettings,
  DatasetError,
  type DatasetRecipe,
  type DatasetSetting,
  wantedNames,
} from '../../../src/evaluation/datasets/dataset.ts'
import { fileIn, fingerprintOf, firstRecordOf, jsonLinesOf } from '../../../src/evaluation/datasets/files.ts'
import { judgedOver, kindOf, writtenCatalogs, writtenNotes } from './written-catalogs.ts'

const settings: readonly DatasetSetting[] = [
  { name: 'split', describes: 'Which queries are read', values: ['dev', 'train', 'all'] },
]

/**
 * Requests in everyday words, written for this project: for tools of real MCP servers, one or several, and for agents.
 * The tools lie in `toolret/toucan-mcp-corpus` and the agents in `agents`, beside the folder of queries or in it.
 */
export const writtenQueries: DatasetRecipe = {
  name: 'written-queries',
  describes: 'Everyday requests for tools and agents, written for this project (development split)',
  settings,
  recognises(path) {
    const file = queryFile(path)
    const first = file === undefined ? undefined : firstRecordOf(file)
    return (
      first !== undefined &&
      'split' in first &&
      Array.isArray(first.relevant) &&
      typeof first.kind === 'string'
    )
  },
  async read(path, only, given) {
    const split = chosenSettings('written-queries', settings, given).get('split')
    const file = queryFile(path)
    if (file === undefined) {
      throw new DatasetError(`${path}: no queries.jsonl is there.`, 'Give the folder of the written queries.')
    }
    const wanted = wantedNames('written-queries', ['written tools', 'written agents'], only)
    const records = jsonLinesOf(file).filter((record) => split === 'all' || record.split === split)
    const cardsOf = writtenCatalogs(path)
    const read = wanted.map((name) => {
      const kind = name === 'written agents' ? 'agent' : 'tool'
      const cards = cardsOf(kind)
      const asked = records.filter((record) => kindOf(record) === kind)
      return { name, kind, cards, ...judgedOver(cards, asked) } as const
    })
    return assembled(
      {
        name: 'written-queries',
        origin: `written queries, split ${split} (sha256 ${fingerprintOf([file])})`,
        parts: read.map(({ lost: _, ...part }) => part),
        headline: ['ndcg@10', 'recall@10', 'mrr@10', 'completeness@10'],
        notes: writtenNotes(read.reduce((sum, { lost }) => sum + lost, 0)),
      },
      path,
    )
  },
}

const queryFile = (path: string): string | undefined =>
  isFile(path)
    ? path
    : (fileIn(path, 'queries.jsonl') ?? fileIn(join(path, 'written-queries'), 'queries.jsonl'))
