import type { JudgedQuery } from '../src/evaluation/datasets/dataset.ts'
import { ndcgAt } from '../src/evaluation/measures/ndcg.ts'
import { above, atLeast, type Bench, type Floor, type Table } from './bench.ts'
import { type DevSet, devSet, rankingsOf } from './dev-rankings.ts'
import { devSets } from './dev-sets.ts'
import { difference, macro, mean, type Scores, withInterval } from './scores.ts'
import { hasModel, noModel } from './static-model-folder.ts'
import { rankedSystems } from './systems.ts'
import { spread, type Workplace } from './workplace.ts'

const depth = 10
const { lexical: own, model, raw, rivals } = rankedSystems
/** Systems that search all sets' tools at once fast enough for every query. */
const fastSystems = [own, ...model, raw]
const allSystems = [...fastSystems, ...rivals]
const learned = 'audition, learned ranking'
const sampledPerSet = 10

/** nDCG@10 of words alone and with the model, Audition beside the others on the same cards and queries. */
export const quality: Bench = {
  name: 'quality',
  question: 'How good are the rankings, on sets that nothing was chosen by?',
  async run(workplace) {
    const { data } = workplace
    if (data === null)
      return { tables: [], notes: ['skipped: data not present'], floors: floorsOf(new Map(), new Map()) }
    const sets = devSets.map((name) => devSet(data, name, workplace.quick ? 20 : Number.POSITIVE_INFINITY))
    const alone = await scoreOwn(workplace, sets)
    const tables = [
      perSet('Each set over its own tools', sets, alone, allSystems),
      averages('Macro-average, each set over its own tools', sets, alone, allSystems),
    ]
    let joined: Scores = new Map()
    if (!workplace.quick) {
      const sampled = sets.map((set) => ({ ...set, queries: spread(set.queries, sampledPerSet) }))
      joined = await scoreJoined(workplace, 'all', sets, fastSystems)
      tables.push(
        averages(
          `Macro-average, the tools of all sets joined, ${sampledPerSet} queries a set`,
          sampled,
          await scoreJoined(workplace, 'all', sampled, allSystems),
          allSystems,
        ),
        perSet('The tools of all sets joined, every query', sets, joined, fastSystems),
        averages('Macro-average, the tools of all sets joined, every query', sets, joined, fastSystems),
        averages(
          'Macro-average, the tools of the development sets joined, every query',
          sets,
          await scoreJoined(workplace, 'development', sets, fastSystems),
          fastSystems,
        ),
      )
    }
    // A sample of queries says too little to judge a floor by.
    return {
      tables,
      notes: hasModel ? notes : [...notes, noModel],
      floors: workplace.quick ? floorsOf(new Map(), new Map()) : floorsOf(alone, joined),
    }
  },
}

const notes = [
  'nDCG@10 in percent. Intervals: 95%, queries of each set drawn anew (stratified bootstrap). All of toollens is its test split.',
  'MiniSearch and Orama split identifiers, stem (Porter) and drop stop words through their own hooks. Weights of the fields: MiniSearch and LanceDB by a grid on the train sets, as Audition; Orama equal ones, its best on the development sets themselves.',
  'LanceDB full-text: the terms of our analyzer, a clause per field, its fixed k1 1.2 and b 0.75.',
  "Audition's ranking is taken before near-identical cards are folded and publishers capped.",
  "Joined: the tools of all 36 sets, or of the 26 development sets, in one catalog; other sets' copies of a right tool are not judged and count as wrong.",
]

/** Per system and set, nDCG@10 of each query. */
async function scoreOwn(workplace: Workplace, sets: readonly DevSet[]): Promise<Scores> {
  const scores = new Map(allSystems.map((system) => [system, new Map<string, number[]>()]))
  for (const set of sets) {
    for (const system of allSystems) {
      workplace.log(`quality: ${set.name}, ${system}`)
      const corpus = workplace.corpusOf(set.name)
      scores.get(system)!.set(set.name, await ask(workplace, system, corpus, set.queries))
    }
  }
  return scores
}

async function scoreJoined(
  workplace: Workplace,
  joined: 'all' | 'development',
  sets: readonly DevSet[],
  systems: readonly string[],
): Promise<Scores> {
  const corpus = workplace.corpusOf(joined)
  const scores = new Map<string, ReadonlyMap<string, readonly number[]>>()
  for (const system of systems) {
    workplace.log(`quality: ${joined} sets joined, ${system}`)
    const values = await ask(
      workplace,
      system,
      corpus,
      sets.flatMap(({ queries }) => queries),
    )
    let start = 0
    const bySet = sets.map(({ name, queries }) => {
      start += queries.length
      return [name, values.slice(start - queries.length, start)] as const
    })
    scores.set(system, new Map(bySet))
  }
  return scores
}

async function ask(
  workplace: Workplace,
  system: string,
  corpus: string,
  queries: readonly JudgedQuery[],
): Promise<number[]> {
  const rankings = await rankingsOf(workplace, { system, corpus, queries, depth })
  return queries.map(({ grades }, index) => 100 * ndcgAt(rankings[index]!, grades, depth))
}

/** Audition's bare rankings go by plain names here. */
const labels = (systems: readonly string[]): string[] =>
  systems.map((system) => (system === own ? 'audition, lexical' : system.replace(/ ranking$/, '')))

const perSet = (
  title: string,
  sets: readonly DevSet[],
  scores: Scores,
  systems: readonly string[],
): Table => ({
  title,
  head: ['set', 'category', 'tools', 'queries', ...labels(systems)],
  rows: sets.map(({ name, category, tools, queries }) => [
    name,
    category,
    `${tools}`,
    `${queries.length}`,
    ...systems.map((system) => mean(scores.get(system)!.get(name)!).toFixed(1)),
  ]),
})

function averages(title: string, sets: readonly DevSet[], scores: Scores, systems: readonly string[]): Table {
  const categories = [...new Set(sets.map(({ category }) => category))].sort()
  return {
    title,
    head: ['', ...labels(systems)],
    rows: [
      ['all sets', ...systems.map((system) => withInterval(macro(scores.get(system)!)))],
      [
        'lexical minus it',
        ...systems.map((system) =>
          system === own ? '' : withInterval(macro(difference(scores.get(own)!, scores.get(system)!))),
        ),
      ],
      ...categories.map((category) => {
        const names = new Set(sets.filter((set) => set.category === category).map(({ name }) => name))
        const macroOfSome = (system: string) =>
          macro(new Map([...scores.get(system)!].filter(([name]) => names.has(name))))
        return [
          `${category}, ${names.size} sets`,
          ...systems.map((system) => macroOfSome(system).mean.toFixed(1)),
        ]
      }),
    ],
  }
}

function floorsOf(scores: Scores, joined: Scores): Floor[] {
  const macroOf = (name: string): number | undefined => scores.get(name) && macro(scores.get(name)!).mean
  const gain = (of: Scores): number | undefined => {
    const [ours, words] = [of.get(learned), of.get(own)]
    return ours && words && macro(difference(ours, words)).mean
  }
  return [
    atLeast('lexical nDCG@10, macro-average of the 26 development sets, own tools', 62.5, macroOf(own)),
    atLeast('learned minus lexical nDCG@10, own tools', 5, gain(scores)),
    atLeast('learned minus lexical nDCG@10, the tools of all sets joined', 4, gain(joined)),
    ...rivals.map((rival) => above('lexical nDCG@10 in the same run', rival, macroOf(rival), macroOf(own))),
  ]
}
