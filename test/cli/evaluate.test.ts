import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DatasetError, SettingError } from '../../src/evaluation/datasets/dataset.ts'
import type { UnaskedResult } from '../../src/evaluation/evaluations.ts'
import { IncomparableRunsError } from '../../src/evaluation/runs/compare-runs.ts'
import { runCaptured, type Surroundings } from '../fakes/captured-terminal.ts'
import { type FakeEvaluationsOptions, fakeEvaluations } from '../fakes/fake-evaluations.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

/** Runs `audition evaluate` over fakes; several calls may share them. */
function commandLine(options: FakeEvaluationsOptions = {}, surroundings: Surroundings = {}) {
  const evaluations = fakeEvaluations(options)
  const audition = scriptedAudition({ evaluations: async () => evaluations })
  const evaluate = (...argv: string[]) => runCaptured(['evaluate', ...argv], audition, surroundings)
  return { evaluations, evaluate }
}

/** Latencies are the clock's. */
const withoutTimes = (text: string): string => text.replace(/\d+(?:\.\d+)? (ms|s)\b/g, '# $1')

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'evaluate-'))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

describe('audition evaluate', () => {
  test('prints parts with intervals, averages, speed and tokens', async () => {
    const { evaluate } = commandLine()
    const { code, stdout } = await evaluate('bundled')
    expect(code).toBe(0)
    expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
      "bundled lexical own
      bundled: 6 queries, 3 parts. made for tests
      ranker lexical, each part over its own cards, without instruction

      part                           queries                nDCG@2  Recall@2  "Nothing fits" (no tool)
      sky                                  3     53.8 [0.0, 100.0]      50.0                     100.0
      disk                                 1  100.0 [100.0, 100.0]     100.0                         –
      team                                 1  100.0 [100.0, 100.0]     100.0                         –
      mean of people                       1  100.0 [100.0, 100.0]     100.0                         –
      mean of web                          4    76.9 [50.0, 100.0]      75.0                     100.0
      mean of categories                   5    88.4 [75.0, 100.0]      87.5                     100.0
      mean of categories (by query)        5    82.7 [62.5, 100.0]      81.3                     100.0
      mean of parts                        5    84.6 [66.7, 100.0]      83.3                     100.0
      all queries                          5    72.3 [40.0, 100.0]      70.0                     100.0

      measure                          mean of parts           all queries  queries
      nDCG@2                      84.6 [66.7, 100.0]    72.3 [40.0, 100.0]        5
      Recall@2                    83.3 [66.7, 100.0]    70.0 [40.0, 100.0]        5
      "Nothing fits" (no tool)  100.0 [100.0, 100.0]  100.0 [100.0, 100.0]        1

      Percent, with 95% bootstrap intervals; those of every part and measure are in the report and in --json.
      Search # ms median, # ms 95th, # ms 99th percentile; 65 tokens per answer.
      Took # s: indexing # s, searching # s.
      Note: a note

      Kept as bundled-lexical-own in /home/someone/evaluations/bundled/bundled-lexical-own, with the report.
      "
    `)
  })

  test.each([
    { line: ['bundled'], columns: undefined, warnings: 1 },
    { line: ['bundled', '--json'], columns: 100, warnings: 1 },
    { line: ['bundled'], columns: 100, warnings: 0 }, // the note below the figures says it
  ])('$line at a terminal of $columns columns: $warnings warnings', async ({ line, columns, warnings }) => {
    const { evaluate, evaluations } = commandLine({}, columns === undefined ? {} : { columns })
    const { run } = evaluations
    evaluations.run = (request) => {
      request.onWarning?.('1 of the expected ids is not in the index: a/b.')
      return run(request)
    }
    const { stderr } = await evaluate(...line)
    const said = 'Warning: 1 of the expected ids is not in the index: a/b.\n'
    expect(stderr.split(said)).toHaveLength(1 + warnings)
  })

  test('tells the progress on standard error, a line for each tenth', async () => {
    const { evaluate } = commandLine()
    const { stderr } = await evaluate('bundled')
    expect(withoutTimes(stderr).trim().split('\n')).toEqual([
      '[0/6] sky',
      '[4/6] sky, # s left',
      '[5/6] disk, # s left',
      '[6/6] team',
    ])
  })

  test('shows a bar on a terminal and takes it away', async () => {
    const { evaluate } = commandLine({}, { columns: 100 })
    const { stdout, stderr } = await evaluate('bundled')
    expect(stderr).toContain('6/6')
    expect(stdout).not.toContain('6/6')
  })

  test.each([
    { argv: ['bundled'], asked: { dataset: { kind: 'place', place: 'bundled' }, parts: [] } },
    { argv: ['--self'], asked: { dataset: { place: 'self' } } },
    { argv: ['self', '--self'], asked: { dataset: { place: 'self' } } },
    {
      argv: ['x', '--ranker', 'lexical', '--corpus', 'joined'],
      asked: { ranker: 'lexical', corpus: 'joined' },
    },
    { argv: ['x', '--with-instruction', '--diverse'], asked: { instruction: 'with', pack: 'diverse' } },
    { argv: ['x', '--equivalence', 'aware'], asked: { equivalence: 'aware' } },
    { argv: ['x', '--part', 'sky', '--part', 'disk'], asked: { parts: ['sky', 'disk'] } },
    { argv: ['x', '--k', '3', '--limit', '4', '--name', 'mine'], asked: { k: 3, limit: 4, name: 'mine' } },
    { argv: ['x', '--measures', 'map,mrr@10'], asked: { measures: ['map', 'mrr@10'] } },
    { argv: ['x', '--set', 'splits=all', '--set', 'a=b=c'], asked: { choices: { splits: 'all', a: 'b=c' } } },
    { argv: ['x', '--download'], asked: { dataset: { place: 'x', download: expect.anything() } } },
  ])('$argv asks for $asked', async ({ argv, asked }) => {
    const { evaluate, evaluations } = commandLine({}, { cwd })
    expect((await evaluate(...argv)).code).toBe(0)
    expect(evaluations.requests).toMatchObject([asked])
  })

  test('a file of the working folder is given by its path, a listed name never', async () => {
    await writeFile(join(cwd, 'queries.jsonl'), '')
    await writeFile(join(cwd, 'team'), '')
    const { evaluate, evaluations } = commandLine({}, { cwd })
    await evaluate('queries.jsonl')
    await evaluate('team')
    await evaluate('toolret-dev', '--from', 'data')
    expect(evaluations.requests.map(({ dataset }) => dataset)).toEqual([
      { kind: 'place', place: join(cwd, 'queries.jsonl') },
      { kind: 'place', place: 'team' },
      { kind: 'place', place: 'toolret-dev', from: join(cwd, 'data') },
    ])
  })

  test('compares: differences with p-values, then the worst and the best queries', async () => {
    const { evaluate } = commandLine({}, { env: { COLUMNS: '100' } })
    await evaluate('team', '--with-instruction')
    const { code, stdout } = await evaluate('team', '--compare', 'latest')
    expect(code).toBe(0)
    expect(stdout.slice(stdout.indexOf('Against'), stdout.indexOf('Kept as'))).toMatchInlineSnapshot(`
      "Against team lexical own instructed
      part           measure                   before    now           difference      p  p (Holm)
      sky            nDCG@2                      66.7   53.8  -12.9 [-38.7, +0.0]  1.000     1.000
      disk           nDCG@2                     100.0  100.0    +0.0 [+0.0, +0.0]  1.000     1.000
      team           nDCG@2                     100.0  100.0    +0.0 [+0.0, +0.0]  1.000     1.000
      mean of parts  nDCG@2                      88.9   84.6   -4.3 [-12.9, +0.0]  1.000     1.000
      mean of parts  Recall@2                    88.9   83.3   -5.6 [-16.7, +0.0]  1.000     1.000
      mean of parts  "Nothing fits" (no tool)   100.0  100.0    +0.0 [+0.0, +0.0]  1.000     1.000

      Points of team lexical own over team lexical own instructed, 95% bootstrap interval; p of a paired
      randomisation test, corrected by Holm over the parts of a measure.

      Worst regressions
      100.0 -> 61.3  q2
          phase moon
          wanted sky/alerts, sky/moon

      "
    `)
  })

  test('says of how many queries only one of the runs tells', async () => {
    const { evaluate } = commandLine()
    const { stdout: whole } = await evaluate('team')
    const queries = Number(/(\d+) queries/.exec(whole)![1])
    expect((await evaluate('team', '--limit', String(queries - 1), '--compare', 'latest')).stdout).toContain(
      'Left out: 1 query that only one of the runs has:',
    )
  })

  test('says when copies count, and refuses to compare with a run in which they do not', async () => {
    const { evaluate } = commandLine({}, { env: { COLUMNS: '100' } })
    await evaluate('team')
    const { stdout } = await evaluate('team', '--equivalence', 'aware')
    expect(stdout).toContain('team lexical own equivalence-aware')
    expect(stdout).toContain('copies of relevant cards count (equivalence aware)')
    const { code, stderr } = await evaluate('team', '--compare', 'latest')
    expect(code).not.toBe(0)
    expect(stderr).toContain('their figures do not compare')
    expect(stderr).toContain('--equivalence strict')
    expect((await evaluate('team', '--equivalence', 'both')).code).not.toBe(0)
    expect((await evaluate()).stdout).toContain('nDCG@2, copies count')
  })

  test('prints figures as JSON, without the queries', async () => {
    const { evaluate } = commandLine()
    const { stdout } = await evaluate('bundled', '--json')
    const printed = JSON.parse(stdout)
    expect(printed).toMatchObject({
      id: { dataset: 'bundled', run: 'bundled-lexical-own' },
      format: 'audition-run/1',
      queries: 6,
      macro: { 'ndcg@2': { queries: 5 } },
      timing: { searchMs: expect.anything() },
    })
    expect(printed).not.toHaveProperty('outcomes')
  })

  test('writes the report where it is told to', async () => {
    const { evaluate } = commandLine({}, { cwd })
    expect((await evaluate('bundled', '--report', 'page.html')).code).toBe(0)
    expect(await readFile(join(cwd, 'page.html'), 'utf8')).toBe(
      '<!doctype html><title>bundled lexical own</title>',
    )
  })

  test.each([
    { why: 'a folder stands there', report: '.', says: 'it is a folder' },
    { why: 'a file stands where a folder should be', report: 'file/page.html', says: 'a file stands where' },
  ])('a report that cannot be written is told before the run: $why', async ({ report, says }) => {
    await writeFile(join(cwd, 'file'), 'mine')
    const { evaluate, evaluations } = commandLine({}, { cwd })
    const { code, stdout, stderr } = await evaluate('bundled', '--report', report)
    expect({ code, stdout, asked: evaluations.requests }).toEqual({ code: 1, stdout: '', asked: [] })
    expect(stderr).toContain(`error: ${resolve(cwd, report)}: cannot be written: ${says}`)
    expect(stderr).toContain('or name another place.')
    expect(await readdir(cwd)).toEqual(['file'])
  })

  test('a report goes into a folder that is made for it, once there is something to write', async () => {
    const failure = new DatasetError('x.jsonl: line 2 has no query.', 'Write one query a line.')
    const failing = commandLine({ failure }, { cwd })
    expect((await failing.evaluate('x', '--report', 'new/deep/page.html')).code).toBe(1)
    expect(await readdir(cwd)).toEqual([])
    const { evaluate } = commandLine({}, { cwd })
    expect((await evaluate('bundled', '--report', 'new/deep/page.html')).code).toBe(0)
    expect(await readdir(join(cwd, 'new', 'deep'))).toEqual(['page.html'])
  })

  test('a report that cannot be written after all takes no figures away', async () => {
    let open = (): void => undefined
    const gate = new Promise<void>((done) => {
      open = done
    })
    const { evaluate, evaluations } = commandLine({ gate }, { cwd })
    const running = evaluate('bundled', '--report', 'page.html')
    await vi.waitFor(() => expect(evaluations.requests).toHaveLength(1))
    await mkdir(join(cwd, 'page.html'))
    open()
    const { code, stdout, stderr } = await running
    expect(code).toBe(1)
    expect(stdout).toContain('nDCG@2')
    expect(stdout).toContain('Kept as bundled-lexical-own in ')
    expect(stderr).toContain(
      'page.html: cannot be written: it is a folder (EISDIR).\n  Check its permissions',
    )
  })

  test.each([
    { why: 'kept with its report', keeps: undefined, ends: /\n\nKept as .*, with the report\.\n$/ },
    { why: 'kept without its report', keeps: 'without report', ends: /\n\nKept as [^,]*\.\n$/ },
    { why: 'not kept', keeps: 'nothing', ends: /\nNote: a note\n$/ },
  ] as const)('what failed after a run that is $why is told after its figures', async ({ keeps, ends }) => {
    const failures = [
      new IncomparableRunsError('Nothing in common.', 'Take another.'),
      new Error('Also this.'),
    ]
    const { evaluate } = commandLine({ failures, ...(keeps === undefined ? {} : { keeps }) })
    const { code, stdout, stderr } = await evaluate('bundled')
    expect(code).toBe(1)
    expect(stdout).toMatch(ends)
    expect(stderr).toMatch(/error: Nothing in common\.\n {2}Take another\.\nerror: Also this\.\n$/)
    const json = JSON.parse((await evaluate('bundled', '--json')).stdout)
    expect(json).toMatchObject({ queries: 6, macro: { 'ndcg@2': { queries: 5 } } })
    expect('folder' in json).toBe(keeps !== 'nothing')
  })

  test('of an index that nothing can be asked of, prints what its cards alone tell', async () => {
    const unasked: UnaskedResult = {
      kind: 'unasked',
      dataset: { name: 'self', origin: 'your index, 1 card', notes: ['1 of 1 cards have no example.'] },
      findings: [
        { kind: 'thin', card: 'a/x', others: [], message: 'has no description', remedy: 'Write one.' },
      ],
    }
    const { evaluate } = commandLine({ unasked })
    const { code, stdout } = await evaluate('--self')
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "self: your index, 1 card. Nothing was asked: there are no figures and no report.
      Note: 1 of 1 cards have no example.
      An example, or a second sentence in the description, is what a card is asked for by.

      Descriptions that say too little (1)
        a/x
          has no description
        Fix: Write one.
      "
    `)
    const json = await evaluate('--self', '--json')
    expect(json.code).toBe(0)
    expect(JSON.parse(json.stdout)).toEqual({
      dataset: unasked.dataset,
      queries: 0,
      findings: unasked.findings,
    })
    const clean = await commandLine({ unasked: { ...unasked, findings: [] } }).evaluate('--self')
    expect(clean.stdout).not.toContain('Nothing keeps a card from being found.')
  })

  test('names what cannot be found in the index, and the fix once', async () => {
    const finding = (card: string) => ({
      kind: 'thin' as const,
      card,
      others: [],
      message: 'has no description',
      remedy: 'Write one sentence.',
    })
    const { evaluate } = commandLine({ findings: ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'a/6'].map(finding) })
    const { stdout } = await evaluate('--self')
    expect(stdout).toContain('Descriptions that say too little (6)\n  a/1\n    has no description\n  a/2')
    expect(stdout).toContain('  and 1 more: --json lists them all\n  Fix: Write one sentence.')
    expect(stdout.match(/Fix:/g)).toHaveLength(1)
    const clean = await commandLine().evaluate('--self')
    expect(clean.stdout).toContain('Nothing keeps a card from being found.')
  })

  test('alone, lists datasets and kept runs', async () => {
    const { evaluate } = commandLine()
    expect((await evaluate()).stdout).toContain('None yet: audition evaluate bundled')
    await evaluate('bundled', '--name', 'first')
    const { code, stdout } = await evaluate()
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Datasets\nname +from +what\nbundled +bundled +made for tests\nself +your index /)
    expect(stdout).toMatch(/\nRuns\ndataset +run +queries .*\nbundled +first +6 +nDCG@2 +84\.6 \[/)
    expect(JSON.parse((await evaluate('--json')).stdout)).toMatchObject({
      datasets: { length: 3 },
      runs: [{ run: 'first' }],
    })
  })
})

describe('audition evaluate register and forget', () => {
  test('put a dataset on the list by its absolute path, and take it off', async () => {
    const { evaluate, evaluations } = commandLine({}, { cwd })
    expect((await evaluate('register', 'mine', 'q.jsonl')).stdout).toBe('Registered mine: 3 queries.\n')
    expect(evaluations.registered.get('mine')).toBe(join(cwd, 'q.jsonl'))
    expect((await evaluate('forget', 'mine')).stdout).toBe('Forgot mine.\n')
    const { code, stderr } = await evaluate('forget', 'mine')
    expect(code).toBe(1)
    expect(stderr).toContain('No dataset "mine" is registered.')
  })

  test.each(['register', 'forget'])('audition evaluate %s --help', async (name) => {
    const { code, stdout } = await commandLine().evaluate(name, '--help')
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot(`golden/help-evaluate-${name}.txt`)
  })
})

describe('what goes wrong', () => {
  test.each([
    {
      why: 'a measure that there is none of',
      argv: ['x', '--measures', 'map,accuracy@5'],
      says: /No measure "accuracy@5"\. Known: ndcg@k/,
    },
    {
      why: 'requests that a model writes',
      argv: ['--self', '--written', '3'],
      says: /--written is gone: write requests with `audition tasks make`/,
    },
    {
      why: 'both --k and --measures',
      argv: ['x', '--k', '3', '--measures', 'map'],
      says: /exclude each other/,
    },
    { why: '--self and another dataset', argv: ['x', '--self'], says: /another dataset/ },
    { why: 'options without a dataset', argv: ['--ranker', 'lexical'], says: /Name the dataset to run/ },
    { why: 'a cutoff of nothing', argv: ['x', '--k', '0'], says: /whole number from 1 to 100/ },
    { why: 'a corpus that is none', argv: ['x', '--corpus', 'all'], says: /own, joined, index/ },
    { why: 'a setting without a value', argv: ['x', '--set', 'splits'], says: /--set takes name=value/ },
    { why: 'a second dataset', argv: ['x', 'y'], says: /too many arguments/ },
  ])('$why is wrong usage', async ({ argv, says }) => {
    const { evaluate, evaluations } = commandLine()
    const { code, stdout, stderr } = await evaluate(...argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(says)
    expect(evaluations.requests).toEqual([])
  })

  test('a dataset that cannot be read ends with 1, what is wrong and what to do', async () => {
    const failure = new DatasetError('x.jsonl: line 2 has no query.', 'Write one query a line.')
    const { code, stderr } = await commandLine({ failure }).evaluate('x')
    expect(code).toBe(1)
    expect(stderr).toContain('error: x.jsonl: line 2 has no query.\n  Write one query a line.\n')
  })

  test('a setting that the dataset does not have is wrong usage', async () => {
    const failure = new SettingError('bundled has no setting "foo".', 'Leave it out: it takes none.')
    const { code, stdout, stderr } = await commandLine({ failure }).evaluate('bundled', '--set', 'foo=1')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('error: bundled has no setting "foo". Leave it out: it takes none.\n')
  })

  test('Ctrl-C ends with 130', async () => {
    const stop = new AbortController()
    const { evaluate } = commandLine({ gate: new Promise(() => undefined) }, { signal: stop.signal })
    const running = evaluate('bundled')
    setImmediate(() => stop.abort())
    expect(await running).toMatchObject({ code: 130, stdout: '' })
  })
})
