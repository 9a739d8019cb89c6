import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../../src/evaluation/evaluate.ts'
import { readGivenRun } from '../../../src/evaluation/runs/given-run.ts'
import { bareTool } from '../../fakes/bare-tool.ts'
import { readTrecQrels } from '../read-qrels.ts'

const own = join(import.meta.dirname, 'trec')
const shared = resolve(import.meta.dirname, '../../../../shared/data/trec-golden')
const present = existsSync(shared)
const cases = present ? readdirSync(shared).filter((name) => /^\d+$/.test(name)) : []

/** trec_eval's names, and ours. */
const named: { readonly [trecEval: string]: string } = {
  map: 'map',
  Rprec: 'rprec',
  recip_rank: 'mrr',
  ndcg: 'ndcg',
  set_F: 'f1',
  ...Object.fromEntries([5, 10].map((k) => [`map_cut_${k}`, `map@${k}`])),
  ...Object.fromEntries([1, 5, 10, 20].map((k) => [`P_${k}`, `p@${k}`])),
  ...Object.fromEntries([1, 5, 10, 20].map((k) => [`recall_${k}`, `recall@${k}`])),
  ...Object.fromEntries([1, 3, 5, 10, 20].map((k) => [`ndcg_cut_${k}`, `ndcg@${k}`])),
  ...Object.fromEntries([1, 5, 10].map((k) => [`success_${k}`, `hit@${k}`])),
}

/** What `audition evaluate --run` makes of a run, by measure and query; `all` is the mean. */
async function evaluated(folder: string): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const qrelsFile = join(folder, 'qrels.txt')
  const qrels = readTrecQrels(readFileSync(qrelsFile, 'utf8').split('\n'))
  const queries = [...qrels].map(([id, grades]) => ({ id, text: id, grades }))
  const cards = [...new Set([...qrels.values()].flatMap((grades) => [...grades.keys()]))].map(bareTool)
  const dataset = {
    name: 'golden',
    origin: folder,
    parts: [{ name: 'all', kind: 'tool' as const, cards, queries }],
    headline: Object.values(named),
    notes: [],
  }
  const givenRun = await readGivenRun(join(folder, 'run.txt'))
  const { run } = await evaluate(dataset, { givenRun }, { model: null })
  return new Map(
    Object.values(named).map((measure) => [
      measure,
      // A query that nothing serves is not measured here; trec_eval counts it as 0.
      new Map([
        ...run.outcomes.map(({ id, measures }) => [id, measures[measure] ?? 0] as const),
        ['all', meanOf(run.outcomes.map(({ measures }) => measures[measure] ?? 0))] as const,
      ]),
    ]),
  )
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

async function agrees(folder: string, file: string): Promise<void> {
  const ours = await evaluated(folder)
  const answers = readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const compared = answers.filter(([measure = '']) => named[measure] !== undefined)
  expect(compared.length).toBeGreaterThan(20)
  const differing = compared.flatMap(([measure = '', query = '', expected = '']) => {
    const actual = ours.get(named[measure]!)?.get(query) ?? Number.NaN
    // Half of the last digit, as trec_eval rounds.
    return Math.abs(actual - Number(expected)) <= 0.00005 + 1e-9
      ? []
      : [`${measure} of ${query}: ${actual}, trec_eval says ${expected}`]
  })
  expect(differing).toEqual([])
}

test('trec_eval agrees with what evaluate makes of a run, to four decimals', () =>
  agrees(own, 'measures.txt'))

describe(present ? 'trec_eval agrees' : 'trec_eval agrees (skipped: data not present)', () => {
  test.skipIf(!present)('on 100 cases', () => expect(cases).toHaveLength(100))
  test.each(cases)('on case %s', (name) => agrees(join(shared, name), 'measures-complete.txt'))
})
