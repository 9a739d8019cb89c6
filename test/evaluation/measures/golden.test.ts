import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { rank } from '../../../src/domain/ranking.ts'
import { relevantOf, relevantWithin } from '../../../src/evaluation/measures/measure.ts'
import { measureNamed } from '../../../src/evaluation/measures.ts'
import { scoreRun } from '../../../src/evaluation/score-run.ts'
import { readTrecQrels, readTrecRun } from '../../../src/evaluation/trec-format.ts'

const golden = resolve(import.meta.dirname, '../../../../shared/data/trec-golden')
const present = existsSync(golden)
const cases = present ? readdirSync(golden).filter((name) => /^\d+$/.test(name)) : []

/** trec_eval's names, and ours. */
const named: { readonly [trecEval: string]: string } = {
  map: 'map',
  Rprec: 'rprec',
  recip_rank: 'mrr',
  ndcg: 'ndcg',
  set_F: 'f1',
  map_cut_10: 'map@10',
  ...Object.fromEntries([1, 5, 10, 20].map((k) => [`P_${k}`, `p@${k}`])),
  ...Object.fromEntries([1, 5, 10, 20].map((k) => [`recall_${k}`, `recall@${k}`])),
  ...Object.fromEntries([1, 3, 5, 10, 20].map((k) => [`ndcg_cut_${k}`, `ndcg@${k}`])),
  ...Object.fromEntries([1, 5, 10].map((k) => [`success_${k}`, `hit@${k}`])),
}
/** Counts, which are no measures of ours. */
const counts = ['num_q', 'num_rel', 'num_rel_ret']

const linesOf = (file: string) => createInterface({ input: createReadStream(file) })

describe(present ? 'trec_eval agrees' : 'trec_eval agrees (skipped: data not present)', () => {
  test.skipIf(!present)('on 100 cases', () => expect(cases).toHaveLength(100))

  test.each(
    cases.flatMap((name) => [
      { name, file: 'measures.txt', unranked: 'leaveOut' as const },
      { name, file: 'measures-complete.txt', unranked: 'countAsZero' as const },
    ]),
  )('to four decimals on case $name, $file', async ({ name, file, unranked }) => {
    const folder = join(golden, name)
    const run = await readTrecRun(linesOf(join(folder, 'run.txt')), `${name}/run.txt`)
    const qrels = await readTrecQrels(linesOf(join(folder, 'qrels.txt')), `${name}/qrels.txt`)
    const scored = scoreRun(run, qrels, Object.values(named).map(measureNamed), unranked)
    const answers = readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    const queries = [...scored.queries.keys()]

    const differing: string[] = []
    const seen = new Set<string>()
    for (const [measure = '', query = '', expected = ''] of answers) {
      seen.add(measure)
      const ours = named[measure]
      const actual =
        ours === undefined
          ? countOf(measure, query === 'all' ? queries : [query])
          : query === 'all'
            ? scored.means[ours]!.mean
            : scored.queries.get(query)![ours]!
      // Half of the last digit, as trec_eval rounds.
      if (!(Math.abs(actual - Number(expected)) <= 0.00005 + 1e-9))
        differing.push(`${measure} of ${query}: ${actual}, trec_eval says ${expected}`)
    }
    expect(differing).toEqual([])
    expect([...seen].sort()).toEqual([...Object.keys(named), ...counts].sort())

    function countOf(measure: string, of: readonly string[]): number {
      if (measure === 'num_q') return of.length
      const count = (query: string): number => {
        const grades = qrels.get(query)!
        if (measure === 'num_rel') return relevantOf(grades)
        return relevantWithin(run.get(query) ?? rank([]), grades, Number.POSITIVE_INFINITY)
      }
      return of.reduce((sum, query) => sum + count(query), 0)
    }
  })
})
