import { rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SettingError } from '../../src/evaluation/datasets/dataset.ts'
import type { EvaluationRequest } from '../../src/evaluation/evaluations.ts'
import { type EvaluationDependencies, openEvaluations } from '../../src/evaluation/open-evaluations.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { NoIndexError } from '../../src/retrieval/ports.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { hashedWordsModel } from '../fakes/hashed-words-model.ts'

const cards = [
  toolCard('sky/alerts', {
    name: 'alerts',
    description: 'Storm alerts of a region. Warns of hail and of flooding rivers before they come.',
    examples: ['is there a storm alert tonight', 'warn me of hail'],
  }),
  toolCard('sky/moon', { name: 'moon', description: 'Phase of the moon on a given day of the year.' }),
  toolCard('disk/print', { name: 'print', description: '' }),
]
const queries = [
  { query: 'storm alerts', expected: ['sky/alerts'] },
  { query: 'phase of the moon', expected: ['sky/moon'] },
  { query: 'xylophone lessons', expected: [] },
]
  .map((row) => JSON.stringify(row))
  .join('\n')

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-evaluations-'))
  file = join(folder, 'queries.jsonl')
  await writeFile(file, queries)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Evaluations whose runs are asked and kept: others fail the test. */
const opened = (parts: Partial<EvaluationDependencies> = {}) => {
  const evaluations = openedAsTheyAre(parts)
  return {
    ...evaluations,
    async run(request: EvaluationRequest) {
      const result = await evaluations.run(request)
      if (result.kind !== 'measured' || result.kept === undefined) throw new Error('the run was not kept')
      return { ...result, ...result.kept }
    },
  }
}
const openedAsTheyAre = (parts: Partial<EvaluationDependencies> = {}) =>
  openEvaluations({
    folder: join(folder, 'home'),
    bundledFolder: join(import.meta.dirname, '..', '..', 'evals'),
    benchmarks: async () => ({ recipes: [] }),
    downloads: join(folder, 'downloads'),
    fetch: () => Promise.reject(new Error('nothing is downloaded here')),
    openModel: async () => null,
    modelIs: 'shipped',
    openCrossEncoder: async () => null,
    openRerankers: async () => [],
    onIndex: async (use) => use(await memorySnapshot(cards), null),
    ...parts,
  })
const place = (path: string): Pick<EvaluationRequest, 'dataset'> => ({
  dataset: { kind: 'place', place: path },
})
const known = (name: string): Pick<EvaluationRequest, 'dataset'> => ({ dataset: { kind: 'known', name } })

describe('own queries', () => {
  test('that expect a card the index lacks say so', async () => {
    await writeFile(file, JSON.stringify({ query: 'storm alerts', expected: ['sky/alert'] }))
    const warnings: string[] = []
    const onWarning = (warning: string) => void warnings.push(warning)
    const { run } = await opened().run({ ...place(file), onWarning })
    expect(warnings.join()).toContain('not in the index and counts as not found: sky/alert.')
    expect(run.dataset.notes[0]).toBe(warnings[0])
    expect(warnings).toHaveLength(1)
  })

  test('are asked of the index, and the run is kept with its report', async () => {
    const evaluations = opened()
    const { run, id, folder: own } = await evaluations.run(place(file))
    expect(run.settings.corpus).toBe('index')
    expect(run.macro['ndcg@10']).toMatchObject({ mean: 1, queries: 2 })
    expect(run.macro.refusal).toMatchObject({ mean: 1, queries: 1 })
    expect(await evaluations.runs()).toMatchObject([{ ...id, queries: 3 }])
    expect((await evaluations.read(id)).run).toEqual(run)
    const report = await evaluations.report(id)
    expect(report.slice(0, 2000)).toContain('queries lexical index')
    expect((await readFile(join(own, 'report.html'), 'utf8')) === report).toBe(true)
  })

  test('are not compared with a run that judged otherwise: told before anything is asked, and nothing is kept', async () => {
    const evaluations = opened()
    const first = await evaluations.run({ ...place(file), name: 'first' })
    for (const compare of ['first', 'latest', join(first.folder, 'run.json')]) {
      let asked = 0
      const run = evaluations.run({
        ...place(file),
        compare,
        equivalence: 'aware',
        onProgress: () => {
          asked += 1
        },
      })
      await expect(run).rejects.toThrow('judged with equivalence "strict", "this run" with "aware"')
      expect(asked).toBe(0)
    }
    expect(await evaluations.runs()).toHaveLength(1)
    await evaluations.run({ ...place(file), equivalence: 'aware' })
    expect((await evaluations.runs()).map(({ run, equivalence }) => [run, equivalence])).toEqual([
      ['queries-lexical-index-equivalence-aware', 'aware'],
      ['first', 'strict'],
    ])
  })

  test('are compared with an earlier run by name, as the latest, or by its file', async () => {
    const evaluations = opened()
    const first = await evaluations.run({ ...place(file), name: 'first' })
    await expect(evaluations.run({ ...place(file), compare: 'none' })).rejects.toThrow('No run "none"')
    for (const compare of ['first', 'latest', join(first.folder, 'run.json')]) {
      const { comparison, baseline } = await evaluations.run({ ...place(file), name: 'second', compare })
      expect(comparison).toMatchObject({ candidate: 'second', unmatched: 0 })
      expect(baseline!.run.name).toBe(compare === 'latest' ? 'second' : comparison!.baseline)
    }
  })

  const secondFile = async (query: string): Promise<string> => {
    await mkdir(join(folder, 'pb'))
    const second = join(folder, 'pb', 'queries.jsonl')
    await writeFile(second, JSON.stringify({ query, expected: ['sky/moon'] }))
    return second
  }

  test('of another file of that name leave the run of the first; what cannot be compared is kept and told', async () => {
    const evaluations = opened()
    const first = await evaluations.run(place(file))
    const second = await secondFile('when is it full')
    const { run, id, page, failures, comparison, baseline } = await evaluations.run({
      ...place(second),
      compare: first.run.name,
    })
    expect(failures).toMatchObject([
      { name: 'IncomparableRunsError', message: expect.stringContaining('no query in common') },
    ])
    expect([comparison, baseline]).toEqual([undefined, undefined])
    expect((await evaluations.read(id)).run).toEqual(run)
    expect((await evaluations.report(id)) === page).toBe(true)
    expect((await evaluations.read(first.id)).run).toEqual(first.run)
    expect((await evaluations.report(first.id)) === first.page).toBe(true)
    const again = await evaluations.run({ ...place(second), compare: 'latest' })
    expect(again).toMatchObject({ id, failures: [], comparison: { unmatched: 0 } })
    expect(await evaluations.runs()).toHaveLength(2)
  })

  test('that were edited where they lie take the place of their earlier run', async () => {
    const evaluations = opened()
    const before = await evaluations.run(place(file))
    await writeFile(file, JSON.stringify({ query: 'when is it full', expected: ['sky/moon'] }))
    expect((await evaluations.run(place(file))).id).toEqual(before.id)
    expect(await evaluations.runs()).toHaveLength(1)
  })

  test('keep the run of the model before when another is chosen, and name both in the comparison', async () => {
    const named = (name: string, modelIs: 'shipped' | 'chosen') => {
      const model = { ...hashedWordsModel(), id: `static:${name}@0123456789ab` }
      const onIndex: EvaluationDependencies['onIndex'] = async (use) =>
        use(await memorySnapshot(cards, model), model)
      return opened({ modelIs, onIndex })
    }
    const before = await named('audition-1', 'shipped').run(place(file))
    const ours = await named('ours', 'chosen').run({ ...place(file), compare: 'latest' })
    expect(ours.comparison!.baseline).toBe(before.run.name)
    expect(ours.run.name).toBe('queries hybrid ours index')
    expect(await opened().runs()).toHaveLength(2)
  })

  test('keep both of two runs whose names make one folder', async () => {
    const evaluations = opened()
    const first = await evaluations.run({ ...place(file), name: 'exp 1' })
    const second = await evaluations.run({ ...place(file), name: 'exp-1', compare: 'exp 1' })
    expect(second.baseline!.run).toEqual(first.run)
    expect((await evaluations.runs()).map(({ name }) => name).sort()).toEqual(['exp 1', 'exp-1'])
    const third = await evaluations.run({ ...place(file), name: 'third', compare: 'exp-1' })
    expect(third.baseline!.run.name).toBe('exp-1')
  })

  test.each(['latest', 'Latest!'])('cannot be kept as "%s", which means the newest', async (name) => {
    const evaluations = opened()
    await expect(evaluations.run({ ...place(file), name })).rejects.toThrow(SettingError)
    expect(await evaluations.runs()).toEqual([])
  })

  test('a run takes the place of the one it is compared with, when both have a name', async () => {
    const evaluations = opened()
    await evaluations.run({ ...place(file), name: 'same' })
    const { comparison } = await evaluations.run({ ...place(file), name: 'same', compare: 'same' })
    expect(comparison!.rows.every(({ difference }) => difference.mean === 0)).toBe(true)
    expect(await evaluations.runs()).toHaveLength(1)
  })
})

describe('a committed run', () => {
  const goldenFile = join(import.meta.dirname, '..', '..', 'evals', 'golden', 'bundled.lexical.json')
  const committed = async (change: (golden: Record<string, unknown>) => object) => {
    const path = join(folder, 'golden.json')
    await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(goldenFile, 'utf8')))))
    return path
  }

  test('is a baseline too: its figures by query, with the texts of the new run', async () => {
    const compare = await committed((golden) => golden)
    const { comparison, baseline } = await opened().run({ ...place('bundled'), ranker: 'lexical', compare })
    expect(comparison).toMatchObject({ baseline: 'golden.json', unmatched: 0 })
    expect(comparison!.rows.map(({ measure }) => measure)).toContain('refusal')
    const golden = JSON.parse(await readFile(goldenFile, 'utf8'))
    const { mean } = golden.figures.macro['ndcg@10']
    expect(baseline!.run.macro['ndcg@10']!.mean).toBeCloseTo(mean, 4)
    expect(baseline!.run.outcomes.every(({ text }) => text !== '')).toBe(true)
  })

  test('is rounded, which makes neither wins nor losses', async () => {
    const evaluations = opened()
    const request = { ...place('bundled'), ranker: 'lexical' as const }
    const { run } = await evaluations.run(request)
    const rounded = (measures: { readonly [name: string]: number }) =>
      Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, Number(value.toFixed(4))]))
    const compare = await committed((golden) => ({
      ...golden,
      outcomes: run.outcomes.map(({ id, part, measures, match, candidates }) => ({
        id,
        part,
        match,
        measures: rounded(measures),
        candidates: candidates.slice(0, 10).map((candidate) => candidate.id),
      })),
    }))
    const { comparison } = await evaluations.run({ ...request, compare })
    expect(comparison).toMatchObject({ regressions: [], wins: [], unmatched: 0 })
    expect(comparison!.rows.every(({ difference, p }) => difference.mean === 0 && p === 1)).toBe(true)
  })

  test.each([
    {
      why: 'figures alone',
      change: ({ outcomes, ...rest }: Record<string, unknown>) => rest,
      says: 'figures alone',
    },
    { why: 'another shape', change: () => ({ format: 'audition-golden/1' }), says: 'no committed run' },
  ])('of $why is refused', async ({ change, says }) => {
    const compare = await committed(change)
    await expect(opened().run({ ...place('bundled'), compare, limit: 2 })).rejects.toThrow(says)
  })
})

describe('the list of datasets', () => {
  test('holds what is bundled, the index itself, and what was registered', async () => {
    const evaluations = opened()
    expect(await evaluations.register('team', file)).toEqual({ parts: 1, queries: 3 })
    expect((await evaluations.datasets()).map(({ name, kind }) => [name, kind])).toEqual([
      ['bundled', 'bundled'],
      ['self', 'self'],
      ['team', 'registered'],
    ])
    const { run, id } = await evaluations.run(known('team'))
    expect(run.dataset.name).toBe('team')
    expect(id).toEqual({ dataset: 'team', run: 'team-lexical-index' })
    expect(await evaluations.unregister('team')).toBe(true)
    expect(await evaluations.unregister('team')).toBe(false)
    await expect(evaluations.run(known('team'))).rejects.toThrow('No dataset is called "team".')
  })

  test.each([
    { why: 'a path', name: (path: string) => path },
    { why: 'a benchmark that is not on it', name: () => 'toolret' },
    { why: 'a folder up', name: () => '..' },
  ])('a known dataset is never $why', async ({ name }) => {
    await expect(opened().run(known(name(file)))).rejects.toMatchObject({
      name: 'DatasetError',
      remedy: 'There are bundled, self.',
    })
  })

  test('a run file is compared with only for a person, never by a known name', async () => {
    const evaluations = opened()
    await evaluations.register('team', file)
    const { folder: own } = await evaluations.run(known('team'))
    await expect(evaluations.run({ ...known('team'), compare: join(own, 'run.json') })).rejects.toMatchObject(
      { name: 'UnknownRunError', kept: ['team-lexical-index'] },
    )
  })

  test.each([
    { name: 'self', says: "of Audition's own" },
    { name: 'bundled', says: "of Audition's own" },
    { name: 'My Team', says: 'is no name for a dataset' },
    { name: '../x', says: 'is no name for a dataset' },
  ])('$name cannot be registered', async ({ name, says }) => {
    await expect(opened().register(name, file)).rejects.toThrow(says)
  })

  test('what holds no dataset cannot be registered', async () => {
    await expect(opened().register('team', join(folder, 'none.jsonl'))).rejects.toMatchObject({
      name: 'DatasetError',
    })
  })

  test('a broken list is told, with the file to mend', async () => {
    await mkdir(join(folder, 'home'))
    await writeFile(join(folder, 'home', 'datasets.json'), '{')
    await expect(opened().datasets()).rejects.toThrow('datasets.json: not a list of datasets.')
  })
})

describe('the index itself', () => {
  test('is measured by queries made of its cards, with what keeps cards from being found', async () => {
    const evaluations = opened()
    const { run, findings, id } = await evaluations.run({ ...known('self'), corpus: 'joined' })
    expect(id.dataset).toBe('self')
    expect(run.settings.corpus).toBe('own')
    expect(run.parts.map(({ name }) => name)).toContain('tool examples')
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'thin', card: 'disk/print' }))
    const report = await evaluations.report(id)
    for (const { card, remedy } of findings!) {
      expect(report.includes(card)).toBe(true)
      for (const text of remedy.split('`')) expect(report.includes(text)).toBe(true)
    }
  })

  test('whose cards say too little to be asked for is answered with what the cards alone tell', async () => {
    const short = [
      toolCard('a/x', { name: 'x', description: 'Adds numbers.' }),
      toolCard('a/y', { name: 'y', description: 'Sends the mail to a person at once, with no delay.' }),
      toolCard('b/x', { name: 'x', description: 'Adds numbers.' }),
    ]
    const evaluations = openedAsTheyAre({ onIndex: async (use) => use(await memorySnapshot(short), null) })
    const result = await evaluations.run({ ...known('self'), compare: 'latest' })
    expect(result).toMatchObject({
      kind: 'unasked',
      dataset: {
        name: 'self',
        notes: ['3 of 3 cards have neither an example nor enough words to hold some out.'],
      },
      findings: [
        { kind: 'duplicate', card: 'a/x', others: ['b/x'] },
        { kind: 'thin', card: 'a/x' },
        { kind: 'thin', card: 'b/x' },
      ],
    })
    expect(await evaluations.runs()).toEqual([])
  })

  test('that holds no card is refused', async () => {
    const evaluations = opened({ onIndex: async (use) => use(await memorySnapshot([]), null) })
    await expect(evaluations.run(known('self'))).rejects.toThrow('self holds no queries')
  })

  test('needs an index', async () => {
    const onIndex = () => Promise.reject(new NoIndexError())
    await expect(opened({ onIndex }).run(known('self'))).rejects.toThrow(NoIndexError)
  })
})

describe.each([
  { what: 'own queries', request: () => place(file) },
  { what: 'the index itself', request: () => known('self') },
])('a run of $what', ({ request }) => {
  test('that is stopped when its last query was asked is not kept', async () => {
    const evaluations = opened()
    const stop = new AbortController()
    const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) => {
      if (done === total) stop.abort()
    }
    await expect(evaluations.run({ ...request(), signal: stop.signal, onProgress })).rejects.toThrow(/abort/i)
    expect(await evaluations.runs()).toEqual([])
  })
})

describe('a store that cannot be written', () => {
  const runs = () => join(folder, 'home', 'evaluations')

  test.for([
    { why: 'a file stands in its place', close: () => writeFile(runs(), 'mine'), skip: false },
    {
      why: 'its folder may only be read (skipped for the super-user, who may write it)',
      close: () => chmod(join(folder, 'home'), 0o555),
      skip: process.getuid?.() === 0 || process.platform === 'win32',
    },
  ])('is told before anything is asked: $why', async ({ close, skip }, { skip: leaveOut }) => {
    if (skip) leaveOut()
    await mkdir(join(folder, 'home'))
    await close()
    const onProgress = vi.fn<() => void>()
    await expect(opened().run({ ...place(file), onProgress })).rejects.toMatchObject({
      name: 'UnwritableError',
      message: expect.stringContaining(`${runs()}: cannot be written: `),
    })
    expect(onProgress).not.toHaveBeenCalled()
  })

  test('is not found out by leaving anything in it', async () => {
    const stopped = AbortSignal.abort()
    await expect(opened().run({ ...place(file), signal: stopped })).rejects.toThrow()
    await expect(readdir(join(folder, 'home'))).rejects.toThrow('ENOENT')
    expect(await readdir(folder)).toEqual(['queries.jsonl'])
  })

  test('afterwards, takes no figures away', async () => {
    const evaluations = openedAsTheyAre()
    await evaluations.run(place(file))
    const onProgress = () => {
      rmSync(runs(), { recursive: true, force: true })
      writeFileSync(runs(), 'in the way')
    }
    const result = await evaluations.run({ ...place(file), onProgress })
    expect(result).toMatchObject({
      kind: 'measured',
      run: { outcomes: { length: 3 } },
      failures: [{ name: 'UnwritableError' }],
    })
    expect(result).not.toHaveProperty('kept')
  })
})

test('the bundled queries run over the bundled catalog, without any index, and with the same bytes twice', async () => {
  const onIndex = () => Promise.reject(new NoIndexError())
  const bytes = await Promise.all(
    ['a', 'b'].map(async (home) => {
      const evaluations = opened({ folder: join(folder, home), onIndex })
      const { folder: own, run } = await evaluations.run({ ...known('bundled'), ranker: 'lexical' })
      expect(run.outcomes.length).toBeGreaterThanOrEqual(150)
      return Promise.all(['run.json.gz', 'run.trec', 'qrels.trec'].map((name) => readFile(join(own, name))))
    }),
  )
  expect(bytes[0]!.every((one, at) => one.equals(bytes[1]![at]!))).toBe(true)
})

test.each([
  {
    why: 'the bundled queries',
    of: () => 'bundled',
    says: 'bundled has no setting "foo".',
    remedy: /takes none/,
  },
  { why: 'the index itself', of: () => 'self', says: 'self has no setting "foo".', remedy: /takes none/ },
  { why: 'own queries', of: () => file, says: 'own-queries has no setting "foo".', remedy: /one of: kind\./ },
])('$why refuse a setting they do not know, and nothing is kept', async ({ of, says, remedy }) => {
  const evaluations = opened()
  const running = evaluations.run({ ...place(of()), choices: { foo: '1' } })
  await expect(running).rejects.toThrow(SettingError)
  await expect(running).rejects.toMatchObject({ message: says, remedy: expect.stringMatching(remedy) })
  expect(await evaluations.runs()).toEqual([])
})

test('a ranker by words alone opens no model', async () => {
  const openModel = () => Promise.reject(new Error('opened'))
  const evaluations = opened({ openModel })
  await evaluations.run({ ...known('bundled'), ranker: 'lexical', limit: 2 })
  await expect(evaluations.run({ ...known('bundled'), limit: 2 })).rejects.toThrow('opened')
})
