import {
  assembled,
  chosenSettings,
  counted,
  DatasetError,
  type DatasetPart,
  type DatasetRecipe,
  type DatasetSetting,
  type JudgedQuery,
  wantedNames,
} from '../../../../src/evaluation/datasets/dataset.ts'
import { normalisedText } from '../../../../src/evaluation/equivalence.ts'
import { sameCapability } from './agentselect-equivalence.ts'
import { candidatePool } from './agentselect-pool.ts'
import { validationTexts } from './agentselect-split.ts'
import {
  agentNotes,
  mergeFile,
  neededFile,
  type Positives,
  readAgents,
  readQueries,
} from './agentselect-tables.ts'
import { fingerprintOf } from '../../../../src/evaluation/datasets/files.ts'
import { manifestOf } from '../manifest.ts'

const settings: readonly DatasetSetting[] = [
  { name: 'split', describes: 'Which queries are asked', values: ['validation', 'train', 'all'] },
  { name: 'pool', describes: 'Candidates per query, positives among them', values: ['1000', '100'] },
  {
    name: 'seed',
    describes: 'Seed of the split and of the pools; the paper takes the mean of five',
    values: ['42', '43', '44', '45', '46'],
  },
  {
    name: 'unseen',
    describes: 'Queries whose agents are in no training query: parts of their own, or within the others',
    values: ['apart', 'within'],
  },
  {
    name: 'grades',
    describes: 'Positives count alike, or more the earlier they were ranked',
    values: ['binary', 'rank'],
  },
  {
    name: 'models',
    describes: 'Descriptions of the models: searched, or only their names',
    values: ['described', 'named'],
  },
]

/** The three parts: what their agents are made of, and how many of a ranking count as positives. */
const published = [
  { name: 'PartI', category: 'LLM-only', positives: 10 },
  { name: 'PartII', category: 'toolkit-only', positives: 1 },
  { name: 'PartIII', category: 'compositional', positives: 5 },
] as const

/**
 * AgentSelect: narrative queries with runnable agent configurations. Each query is ranked over its positives and agents
 * drawn from all parts; queries are held out by their text, and those whose agents no training query has stand apart.
 *
 * @see AgentSelect, ICML 2026; our protocol differs where its text and code leak, see docs/evaluation.md
 */
export const agentSelect: DatasetRecipe = {
  name: 'agentselect',
  describes: 'AgentSelect: merge.json files of agents, questions and rankings, 1,000 candidates per query',
  settings,
  recognises: (path) => published.some(({ name }) => mergeFile(path, name, 'agents') !== undefined),
  async read(path, only, given) {
    const values = chosenSettings('agentselect', settings, given)
    const present = published.filter(({ name }) => mergeFile(path, name, 'agents') !== undefined)
    if (present.length === 0) {
      throw new DatasetError(
        `${path}: no PartI, PartII or PartIII of AgentSelect is there.`,
        'Give the folder that holds them.',
      )
    }
    const files = present.flatMap(({ name }) =>
      ['agents', 'questions', 'rankings'].map((table) => neededFile(path, name, table)),
    )
    const tables = ['Tools', ...(values.get('models') === 'named' ? [] : ['LLMs'])]
    const texts = tables.flatMap((folder) => mergeFile(path, folder) ?? [])
    const { cards, dirty, unknownTools } = readAgents(
      path,
      present.map(({ name }) => name),
      values.get('models') as 'described' | 'named',
    )
    const agents = cards.map(({ id }) => id).sort()
    const known = new Set(agents)
    const read = present.map((part) => ({
      ...part,
      ...readQueries(path, part.name, {
        known,
        positives: { most: part.positives, grades: values.get('grades') as Positives['grades'] },
      }),
    }))

    const all = read.flatMap(({ name, queries }) => queries.map((query) => ({ part: name, query })))
    const normalised = new Map(all.map(({ query }) => [query, normalisedText(query.text)]))
    const heldOut = validationTexts(
      all.map(({ part, query }) => ({ part, text: normalised.get(query)! })),
      values.get('seed')!,
    )
    const isHeldOut = (query: JudgedQuery) => heldOut.has(normalised.get(query)!)
    const split = values.get('split')!
    const isAsked = (query: JudgedQuery) => split === 'all' || isHeldOut(query) === (split === 'validation')
    const training = all.flatMap(({ query }) => (isHeldOut(query) ? [] : [query]))
    const seen = new Set(training.flatMap(({ grades }) => [...grades.keys()]))
    const isUnseen = ({ grades }: JudgedQuery) => ![...grades.keys()].some((id) => seen.has(id))
    const standApart = split === 'validation' && values.get('unseen') === 'apart'

    const pooled = pooling(agents, Number(values.get('pool')), values.get('seed')!)
    const parts = read.flatMap(({ name, category, queries }): DatasetPart[] => {
      const asked = queries.filter(isAsked)
      const part = (title: string, which: readonly JudgedQuery[]): DatasetPart => ({
        name: title,
        category,
        kind: 'agent',
        cards,
        queries: which.map((query) => pooled(query)),
      })
      if (!standApart) return [part(name, asked)]
      return [
        part(
          name,
          asked.filter((query) => !isUnseen(query)),
        ),
        part(`${name} unseen agents`, asked.filter(isUnseen)),
      ]
    })
    const filled = parts.filter(({ queries }) => queries.length > 0)
    const wanted = wantedNames(
      'agentselect',
      filled.map(({ name }) => name),
      only,
    )
    const { measures, notes = [] } = manifestOf('agentselect')
    const sum = (count: (part: (typeof read)[number]) => number) =>
      read.reduce((total, part) => total + count(part), 0)
    return assembled(
      {
        name: 'agentselect',
        origin: `AgentSelect, ${cards.length} agents, ${[...values].map(([name, value]) => `${name} ${value}`).join(', ')} (sha256 ${fingerprintOf([...files, ...texts])})`,
        parts: filled.filter(({ name }) => wanted.includes(name)),
        headline: measures,
        equivalence: sameCapability,
        notes: [
          ...notes,
          ...agentNotes(dirty.size, unknownTools),
          ...counted(
            sum(({ touched }) => touched),
            'query has lost some of its positives with that.',
            'queries have lost some of their positives with that.',
          ),
          ...counted(
            sum(({ lost }) => lost),
            'query was left out: none of its positives remains, or it has no text.',
            'queries were left out: none of their positives remains, or they have no text.',
          ),
          ...counted(
            all.length - new Set(normalised.values()).size,
            'query repeats the text of another and is on the same side of the split.',
            'queries repeat the text of another and are on the same side of the split.',
          ),
          ...(present.length < published.length
            ? [
                `Only ${present.map(({ name }) => name).join(', ')} were here: candidates come from their agents.`,
              ]
            : []),
        ],
      },
      path,
    )
  },
}

/**
 * Gives queries their pools. A pool is drawn when it is asked for, and the last one kept: all of them at once would be
 * tens of millions of ids.
 */
function pooling(agents: readonly string[], size: number, seed: string): (query: JudgedQuery) => JudgedQuery {
  let last: { readonly id: string; readonly pool: readonly string[] } | undefined
  return (query) => ({
    ...query,
    get pool() {
      if (last?.id !== query.id) {
        last = { id: query.id, pool: candidatePool(query.id, [...query.grades.keys()], agents, size, seed) }
      }
      return last.pool
    },
  })
}
