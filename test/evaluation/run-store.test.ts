import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { evaluate } from '../../src/evaluation/evaluate.ts'
import type { EvaluationRun, RunTiming } from '../../src/evaluation/evaluation-run.ts'
import { parseRun, RunFileError, readRunFile, runBytes, runText } from '../../src/evaluation/runs/run-file.ts'
import { fileName, runStore } from '../../src/evaluation/runs/run-store.ts'
import { smallDataset } from './small-dataset.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-store-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const { run } = await evaluate(smallDataset, {}, { model: null })
const timingAt = (startedAt: string): RunTiming => ({
  startedAt,
  totalMs: 10,
  indexingMs: 1,
  searchMs: { p50: 1, p95: 2, p99: 3, sum: 9 },
})

describe('a run as a file', () => {
  test('comes back as it was, and is written again byte by byte', () => {
    const text = runText(run)
    const read = parseRun(text, 'x.json')
    expect(read).toEqual(run)
    expect(runText(read)).toBe(text)
  })

  test('has one query a line', () => {
    const lines = runText(run).trimEnd().split('\n')
    expect(lines).toHaveLength(run.outcomes.length + 2)
    expect(lines[1]).toMatch(/^\{"id":"q0"/)
  })

  test('compressed, equal runs have equal bytes and are read alike', async () => {
    const [first, second] = await Promise.all([runBytes(run, 'a.json.gz'), runBytes(run, 'b.json.gz')])
    expect(Buffer.from(second!).equals(Buffer.from(first!))).toBe(true)
    const path = join(folder, 'r.json.gz')
    await writeFile(path, first!)
    expect(await readRunFile(path)).toEqual(run)
  })

  test.each([
    { why: 'not JSON', text: '{', says: 'x.json: not JSON.' },
    { why: 'another format', text: '{"format":"audition-run/0"}', says: '"format"' },
    {
      why: 'a wrong field',
      text: runText({ ...run, outcomes: [{ ...run.outcomes[1]!, tokens: Number.NaN }] }),
      says: '"outcomes.0.tokens"',
    },
    { why: 'a list', text: '[]', says: 'the whole' },
  ])('is refused with what is wrong and what to do: $why', ({ text, says }) => {
    const error = thrownBy(() => parseRun(text, 'x.json'))
    expect(error).toBeInstanceOf(RunFileError)
    expect(error).toMatchObject({
      message: expect.stringContaining(says),
      remedy: expect.stringContaining('audition evaluate'),
    })
  })

  test('is refused when it is absent or cut off', async () => {
    await expect(readRunFile(join(folder, 'none.json'))).rejects.toThrow('there is no such file')
    const cut = join(folder, 'cut.json.gz')
    await writeFile(cut, gzipSync(runText(run)).subarray(0, 40))
    await expect(readRunFile(cut)).rejects.toThrow('broken gzip')
  })
})

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const page = '<!doctype html><title>small</title>'

describe('the store of runs', () => {
  const named = (name: string): EvaluationRun => ({ ...run, name })

  test('keeps a run with its summary and TREC files, and gives it back', async () => {
    const store = runStore(folder)
    const id = await store.keep(run, timingAt('2026-01-01T00:00:00Z'), '/a/small.jsonl')
    expect(id).toEqual({ dataset: 'small', run: 'small-lexical-own' })
    await store.keepReport(id, page)
    expect((await readdir(store.folderOf(id))).sort()).toEqual([
      'qrels.trec',
      'report.html',
      'run.json',
      'run.trec',
      'summary.json',
    ])
    expect(await store.read(id)).toEqual({ id, run, timing: timingAt('2026-01-01T00:00:00Z') })
    expect(await store.report(id)).toBe(page)
    await expect(store.report({ ...id, run: 'gone' })).rejects.toThrow(RunFileError)
    const trec = await readFile(join(store.folderOf(id), 'run.trec'), 'utf8')
    expect(trec.split('\n')).toContainEqual(
      expect.stringMatching(/^q1 Q0 sky\/alerts 1 \S+ small-lexical-own$/),
    )
    const qrels = await readFile(join(store.folderOf(id), 'qrels.trec'), 'utf8')
    expect(qrels).toBe(
      'q1 0 sky/alerts 1\nq2 0 sky/alerts 1\nq2 0 sky/moon 1\nq3 0 sky/moon 1\nq4 0 disk/print 2\nq5 0 team/lawyer 1\n',
    )
  })

  test('lists runs newest first, and finds them by name or as the latest', async () => {
    const store = runStore(folder)
    await store.keep(named('old'), timingAt('2026-01-01T00:00:00Z'), '/a/small.jsonl')
    await store.keep(named('new'), timingAt('2026-01-02T00:00:00Z'), '/a/small.jsonl')
    await store.keep(
      { ...run, dataset: { ...run.dataset, name: 'other' } },
      timingAt('2026-01-03T00:00:00Z'),
      '/a/small.jsonl',
    )
    expect((await store.list()).map((kept) => `${kept.dataset}/${kept.run}`)).toEqual([
      'other/small-lexical-own',
      'small/new',
      'small/old',
    ])
    expect((await store.find('small', 'latest', '/a/small.jsonl')).run).toBe('new')
    expect((await store.find('small', 'OLD', '/a/small.jsonl')).name).toBe('old')
    await expect(store.find('small', 'missing', '/a/small.jsonl')).rejects.toMatchObject({
      message: 'No run "missing" of small is kept.',
      remedy: 'Kept: new, old.',
    })
    await expect(store.find('nothing', 'latest', '/a/small.jsonl')).rejects.toMatchObject({
      remedy: expect.stringContaining('audition evaluate nothing'),
    })
  })

  test('puts a run in the place of one of its name, and passes over what was left half written', async () => {
    const store = runStore(folder)
    const id = await store.keep(run, timingAt('2026-01-01T00:00:00Z'), '/a/small.jsonl')
    await store.keepReport(id, page)
    await store.keep({ ...run, measures: ['ndcg@2'] }, timingAt('2026-01-02T00:00:00Z'), '/a/small.jsonl')
    await mkdir(join(folder, 'small', 'half'))
    expect(await store.list('small')).toHaveLength(1)
    await expect(store.report(id)).rejects.toThrow('No report of run "small-lexical-own" of small is kept.')
    expect((await store.read(id)).run.measures).toEqual(['ndcg@2'])
    expect((await readdir(store.folderOf(id))).filter((file) => file.endsWith('.part'))).toEqual([])
  })

  test.each([
    { why: 'the same name and place', name: 'exp 1', place: '/a/q.jsonl', folders: ['exp-1'] },
    { why: 'another file of that name', name: 'exp 1', place: '/b/q.jsonl', folders: ['exp-1', 'exp-1-2'] },
    { why: 'a name of the same folder', name: 'exp-1', place: '/a/q.jsonl', folders: ['exp-1', 'exp-1-2'] },
    { why: 'a name of another folder', name: 'exp 2', place: '/a/q.jsonl', folders: ['exp-1', 'exp-2'] },
  ])('a run of $why lies in $folders, twice over', async ({ name, place, folders }) => {
    const store = runStore(folder)
    const first = await store.keep(named('exp 1'), timingAt('2026-01-01T00:00:00Z'), '/a/q.jsonl')
    for (const day of ['02', '03']) await store.keep(named(name), timingAt(`2026-01-${day}T00:00:00Z`), place)
    expect((await store.list('small')).map(({ run }) => run).sort()).toEqual(folders)
    const day = folders.length === 1 ? '03' : '01'
    const found = await store.find('small', 'exp 1', '/a/q.jsonl')
    expect(found).toMatchObject({ ...first, startedAt: `2026-01-${day}T00:00:00Z` })
  })

  test('the latest run is the newest of the same place, and none when it has none', async () => {
    const store = runStore(folder)
    await store.keep(named('mine'), timingAt('2026-01-01T00:00:00Z'), '/a/q.jsonl')
    await store.keep(named('other'), timingAt('2026-01-02T00:00:00Z'), '/b/q.jsonl')
    const newest = async (place: string) => (await store.find('small', 'latest', place)).name
    expect(await Promise.all(['/a/q.jsonl', '/b/q.jsonl'].map(newest))).toEqual(['mine', 'other'])
    await expect(newest('/c/q.jsonl')).rejects.toMatchObject({
      message: 'No run "latest" of small is kept.',
      remedy: 'Kept, of other files by that name: other, mine.',
    })
  })

  test('a run that was kept before places were noted is one of any place', async () => {
    const store = runStore(folder)
    const id = await store.keep(run, timingAt('2026-01-01T00:00:00Z'), '/a/q.jsonl')
    const summary = join(store.folderOf(id), 'summary.json')
    const { place: _, ...older } = JSON.parse(await readFile(summary, 'utf8'))
    await writeFile(summary, JSON.stringify(older))
    expect(await store.keep(run, timingAt('2026-01-02T00:00:00Z'), '/b/q.jsonl')).toEqual(id)
    expect(await store.list()).toMatchObject([{ place: '/b/q.jsonl' }])
  })

  test('compresses large runs, and writes ids with blanks so that TREC tools can read them', async () => {
    const store = runStore(folder)
    const outcome = { ...run.outcomes[1]!, text: 'x'.repeat(300_000), relevant: { 'a/b c': 1 } }
    const id = await store.keep(
      { ...run, outcomes: [outcome] },
      timingAt('2026-01-01T00:00:00Z'),
      '/a/small.jsonl',
    )
    expect(await readdir(store.folderOf(id))).toContain('run.json.gz')
    expect(await readFile(join(store.folderOf(id), 'qrels.trec'), 'utf8')).toBe('q1 0 a/b%20c 1\n')
    expect((await store.read(id)).run.outcomes[0]!.text).toHaveLength(300_000)
  })
})

test.each([
  ['small lexical own', 'small-lexical-own'],
  ['../../etc/passwd', 'etc-passwd'],
  ['..', 'unnamed'],
  ['', 'unnamed'],
  ['Zürich / 北京', 'zürich-北京'],
  ['a'.repeat(200), 'a'.repeat(80)],
])('the folder of %j is %j', (name, expected) => {
  expect(fileName(name)).toBe(expected)
})
