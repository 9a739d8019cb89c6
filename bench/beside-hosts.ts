import { hit } from '../src/evaluation/measures/hits.ts'
import { atMost, type Bench, type Floor, type Table } from './bench.ts'
import { type DevSet, devSet, rankingsOf } from './dev-rankings.ts'
import { devSets } from './dev-sets.ts'
import { difference, macro, mean, type Scores, withInterval } from './scores.ts'
import { rankedSystems } from './systems.ts'
import type { Workplace } from './workplace.ts'

const depth = 5
/** A set of fewer queries tells little of one ranker beside another. */
const manyQueries = 100
const { hosts, lexical, model, reader } = rankedSystems
const ours = [lexical, ...model.filter((system) => system !== 'audition, hybrid ranking'), ...reader]
/** The default search of whoever sets nothing. */
const usual = ours.at(-1)!
const systems = [...hosts, ...ours]

/** hit@5 of Audition beside the ways in which hosts rank the tools of servers on their own. */
export const besideHosts: Bench = {
  name: 'hosts',
  question: "How good are the rankings beside hosts' own, on sets that nothing was chosen by?",
  async run(workplace) {
    const { data, quick } = workplace
    if (data === null)
      return { tables: [], notes: ['skipped: data not present'], floors: [floorOf(undefined)] }
    const sets = devSets.map((name) => devSet(data, name, quick ? 20 : Number.POSITIVE_INFINITY))
    const scores = await hitsOf(workplace, sets)
    const behind = sets.filter((set) => set.queries.length >= manyQueries && !isFirst(set.name, scores))
    return {
      tables: [perSet(sets, scores), averages(scores)],
      notes: [
        'hit@5 in percent: a right tool is among the first five. Each set over its own tools, each system on the same cards and queries.',
        "Hosts' rankers get names, titles, descriptions and input schemas, and a set's servers where it tells them. Claude Code's model would choose its own words; the query is given as it is.",
        'Bold: the first of a row. Intervals: 95%, queries of each set drawn anew (stratified bootstrap).',
        ...behind.map((set) => `Not first: ${behindLine(set, scores)}`),
      ],
      floors: [floorOf(quick ? undefined : behind.length)],
    }
  },
}

const floorOf = (behind: number | undefined): Floor =>
  atMost(`sets of ${manyQueries} queries or more where a host's own ranker is ahead, hit@5`, 0, behind)

/** Per system and set, hit@5 of each query. */
async function hitsOf(workplace: Workplace, sets: readonly DevSet[]): Promise<Scores> {
  const scores = new Map(systems.map((system) => [system, new Map<string, number[]>()]))
  for (const { name, queries } of sets) {
    for (const system of systems) {
      workplace.log(`hosts: ${name}, ${system}`)
      const corpus = workplace.corpusOf(name)
      const rankings = await rankingsOf(workplace, { system, corpus, queries, depth })
      const hits = queries.map(({ grades }, index) => 100 * hit.at(rankings[index]!, { grades }, depth))
      scores.get(system)!.set(name, hits)
    }
  }
  return scores
}

const meanOf = (set: string, system: string, scores: Scores): number => mean(scores.get(system)!.get(set)!)

const bestHost = (set: string, scores: Scores): number =>
  Math.max(...hosts.map((system) => meanOf(set, system, scores)))

const isFirst = (set: string, scores: Scores): boolean => meanOf(set, usual, scores) >= bestHost(set, scores)

const behindLine = ({ name, queries }: DevSet, scores: Scores): string =>
  `${name}, ${meanOf(name, usual, scores).toFixed(1)} beside ${bestHost(name, scores).toFixed(1)} of ${queries.length} queries.`

const labels = systems.map((system) =>
  system === lexical ? 'audition, words' : system.replace(/ ranking$/, ''),
)

function perSet(sets: readonly DevSet[], scores: Scores): Table {
  return {
    title: 'hit@5, each set over its own tools',
    head: ['set', 'tools', 'queries', ...labels],
    rows: sets.map(({ name, tools, queries }) => {
      const values = systems.map((system) => meanOf(name, system, scores).toFixed(1))
      const best = Math.max(...values.map(Number)).toFixed(1)
      return [
        name,
        `${tools}`,
        `${queries.length}`,
        ...values.map((value) => (value === best && best !== '0.0' ? `**${value}**` : value)),
      ]
    }),
  }
}

const averages = (scores: Scores): Table => ({
  title: 'Macro-average',
  head: ['', ...labels],
  rows: [
    ['all sets', ...systems.map((system) => withInterval(macro(scores.get(system)!)))],
    [
      `${usual.replace(/ ranking$/, '')} minus it`,
      ...systems.map((system) =>
        system === usual ? '' : withInterval(macro(difference(scores.get(usual)!, scores.get(system)!))),
      ),
    ],
  ],
})
