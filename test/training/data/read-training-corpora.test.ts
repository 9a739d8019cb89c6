import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../src/catalog/ports.ts'
import { isForTraining } from '../../../evals/benchmarks/src/agent-queries.ts'
import { naturalRecords } from '../../../evals/benchmarks/src/natural-requests.ts'
import { readTrainingCorpora } from '../../../embeddings/trainer/src/data/read-training-corpora.ts'
import { agent, folderWith, query, tool } from './folders.ts'

const weather = [tool('forecast', 'Weather of the next days'), tool('tides', 'Hours of high and low water')]

const namesOf = (queries: readonly { readonly id: string }[]) => queries.map(({ id }) => id)

describe('tool sets', () => {
  test("a set of the user's own is all for training, in a family of its own", async () => {
    const folder = folderWith({
      'mine/tools.jsonl': weather,
      'mine/queries.jsonl': [
        query('q1', 'Will it rain?', ['forecast'], { instruction: 'Find a weather tool.' }),
        query('q2', 'When can I launch the boat?', ['tides', 'forecast'], { split: 'test' }),
      ],
    })
    const { corpora, leftOut, keptApart } = await readTrainingCorpora([folder])
    expect(corpora).toMatchObject([
      {
        name: 'mine',
        family: 'mine',
        cards: [{ id: 'mine/forecast' }, { id: 'mine/tides' }],
        queries: [
          {
            id: 'q1',
            text: 'Will it rain?',
            instruction: 'Find a weather tool.',
            relevant: ['mine/forecast'],
          },
          { id: 'q2', relevant: ['mine/tides', 'mine/forecast'] },
        ],
      },
    ])
    expect(leftOut).toEqual([{ set: 'mine', forDevelopment: 0, alsoInDevelopment: 0, withoutCards: 0 }])
    expect(keptApart).toEqual([])
  })

  test('a development set gives neither tools nor queries, and keeps its queries out of the others', async () => {
    const folder = folderWith({
      'apigen/tools.jsonl': weather,
      'apigen/queries.jsonl': [query('d1', 'Will it rain in Kyōto?', ['forecast'])],
      'mine/tools.jsonl': weather,
      'mine/queries.jsonl': [
        query('q1', '  will it RAIN, in Kyōto ', ['forecast']),
        query('q2', 'Will it snow in Kyōto?', ['forecast']),
      ],
    })
    const { corpora, leftOut, keptApart } = await readTrainingCorpora([folder])
    expect(corpora.map(({ name }) => name)).toEqual(['mine'])
    expect(namesOf(corpora[0]!.queries)).toEqual(['q2'])
    expect(leftOut).toMatchObject([{ set: 'mine', alsoInDevelopment: 1 }])
    expect(keptApart).toEqual(['apigen'])
  })

  test('a development set beside a set that is given alone still keeps its queries out', async () => {
    const folder = folderWith({
      'apigen/tools.jsonl': weather,
      'apigen/queries.jsonl': [query('d1', 'Will it rain?', ['forecast'])],
      'bfcl/tools.jsonl': weather,
      'bfcl/queries.jsonl': [
        query('q1', 'Will it rain?', ['forecast']),
        query('q2', 'Is it tide?', ['tides']),
      ],
    })
    const { corpora } = await readTrainingCorpora([join(folder, 'bfcl')])
    expect(corpora.map(({ name, queries }) => [name, namesOf(queries)])).toEqual([['bfcl', ['q2']]])
  })

  test('of a set that its publishers split only the training part is read, also without a split named', async () => {
    const folder = folderWith({
      'toollens/tools.jsonl': weather,
      'toollens/queries.jsonl': [
        query('q1', 'Will it rain?', ['forecast'], { split: 'train' }),
        query('q2', 'Will it snow?', ['forecast'], { split: 'test' }),
        query('q3', 'Is there fog?', ['forecast']),
      ],
    })
    const { corpora, leftOut, keptApart } = await readTrainingCorpora([folder])
    expect(namesOf(corpora[0]!.queries)).toEqual(['q1'])
    expect(leftOut).toMatchObject([{ set: 'toollens', forDevelopment: 2 }])
    expect(keptApart).toEqual(['toollens'])
  })

  test('damaged lines are reported with their place and skipped', async () => {
    const folder = folderWith({
      'mine/tools.jsonl': [...weather, '{"id": "cut', tool('sun', 'Hours of sunrise and sunset')],
      'mine/queries.jsonl': [
        'not JSON',
        query('q1', 'Will it rain?', ['forecast']),
        '[1, 2]',
        query('q2', 'When does the sun rise?', ['sun', 'no such tool']),
        query('q3', 'Who asks for this?', ['no such tool']),
        { id: 'q4', query: 'Nothing is judged', labels: [{ id: 'sun', relevance: 0 }] },
      ],
    })
    const problems: Problem[] = []
    const { corpora, leftOut } = await readTrainingCorpora([folder], {
      onProblem: (problem) => problems.push(problem),
    })
    expect(corpora[0]!.cards.map(({ name }) => name)).toEqual(['forecast', 'tides', 'sun'])
    expect(corpora[0]!.queries).toMatchObject([{ id: 'q1' }, { id: 'q2', relevant: ['mine/sun'] }])
    expect(leftOut).toMatchObject([{ set: 'mine', withoutCards: 2 }])
    expect(problems.map(({ severity, field }) => [severity, field])).toEqual([
      ['error', 'line 1'],
      ['error', 'line 3'],
      ['error', 'line 3'],
      ['warning', undefined],
    ])
    expect(problems.at(-1)!.message).toContain('2 queries of mine left out')
  })

  test('a server that the set lists is named, not numbered', async () => {
    const folder = folderWith({
      'mine/tools.jsonl': [tool('a', 'Reads a page', { server: 's1' }), tool('b', 'Cooks', { server: 's2' })],
      'mine/servers.jsonl': [{ id: 's1', name: 'Page Reader' }],
    })
    const { corpora } = await readTrainingCorpora([folder])
    expect(corpora[0]!.cards).toMatchObject([{ server: 'Page Reader' }, { server: 's2' }])
  })
})

describe('agents and queries over them', () => {
  const halves = Array.from({ length: 40 }, (_, index) => `claude-davila7:agent-${index}`)
  const inTraining = halves.find((id) => isForTraining([id]))!
  const inDevelopment = halves.find((id) => !isForTraining([id]))!
  const catalogs = {
    'agents/claude-davila7.jsonl': [
      agent(inTraining, 'Reviews code', { examples: ['Look over my patch'] }),
      agent(inDevelopment, 'Plans trips', { examples: ['A week in Lisbon, please'] }),
    ],
    'agents/claude-vijay.jsonl': [
      agent('claude-vijay:copy', 'Reviews code too', {
        examples: ['Look over my patch', 'a week in LISBON please'],
      }),
    ],
    'agents/duplicates.json': { clusters: [[inTraining, 'claude-vijay:copy', 'elsewhere:gone']] },
  }

  test('the half for training is read, duplicates count as relevant, and no example gives a query away', async () => {
    const folder = folderWith({
      ...catalogs,
      'agent-queries/claude-davila7-examples.jsonl': [
        { id: 'q1', query: 'Look over my patch', relevant: { [inTraining]: 1 }, level: 'agent' },
        { id: 'q2', query: 'A week in Lisbon, please', relevant: { [inDevelopment]: 1 }, level: 'agent' },
      ],
      'agent-queries/a2a-skill-examples.jsonl': [
        { id: 'q3', query: 'Book a flight', relevant: { [inTraining]: 1 }, level: 'agent' },
      ],
    })
    const { corpora, leftOut, keptApart } = await readTrainingCorpora([folder])
    expect(corpora.map(({ family, queries }) => [family, queries])).toEqual([
      [
        'agents',
        [
          {
            id: 'q1',
            text: 'Look over my patch',
            relevant: [inTraining.replace(':', '/'), 'claude-vijay/copy'],
            set: 'claude-davila7-examples',
          },
        ],
      ],
    ])
    expect(corpora.flatMap(({ cards }) => cards.map(({ examples }) => examples))).toEqual([
      [],
      [],
      ['Look over my patch'],
    ])
    expect(leftOut).toMatchObject([{ set: 'claude-davila7-examples', forDevelopment: 1 }])
    expect(keptApart).toEqual(['a2a-skill-examples', 'claude-davila7-examples'])
  })

  test('requests in other languages are trained on by their split, and keep their development texts out', async () => {
    const told = (id: string, text: string, split: string) => ({
      id,
      lang: 'de',
      query: text,
      english: '-',
      kind: 'single',
      split,
      relevant: ['forecast'],
    })
    const folder = folderWith({
      'toolret/mine/tools.jsonl': weather,
      'toolret/mine/queries.jsonl': [query('q1', 'regnet es morgen', ['forecast'])],
      'languages/requests.jsonl': [
        told('w1-de', 'Regnet es morgen?', 'dev'),
        told('w2-de', 'Brauche ich heute einen Schirm?', 'train'),
      ],
    })
    const { corpora, leftOut, keptApart } = await readTrainingCorpora([folder])
    expect(corpora.map(({ queries }) => namesOf(queries))).toEqual([['w2-de']])
    expect(leftOut).toMatchObject([
      { set: 'mine', alsoInDevelopment: 1 },
      { set: 'languages', forDevelopment: 1, alsoInDevelopment: 0 },
    ])
    expect(keptApart).toEqual(['languages'])
  })

  test('a query or example that is one of the natural requests is left out', async () => {
    const [asked, other] = naturalRecords().map(({ query: text }) => String(text)) as [string, string]
    const folder = folderWith({
      'toolret/mine/tools.jsonl': weather,
      'toolret/mine/queries.jsonl': [
        query('q1', ` ${asked.toUpperCase()}!`, ['forecast']),
        query('q2', `${asked} by Sunday`, ['forecast']),
      ],
      'agents/own.jsonl': [agent('own:mate', 'Sails too', { examples: [other, 'Sail with me'] })],
    })
    const { corpora, leftOut } = await readTrainingCorpora([folder])
    expect(namesOf(corpora[0]!.queries)).toEqual(['q2'])
    expect(leftOut).toMatchObject([{ set: 'mine', alsoInDevelopment: 1 }])
    expect(corpora[1]!.cards[0]!.examples).toEqual(['Sail with me'])
  })

  test('written queries go to the cards they name; without all their cards they are left out and told of', async () => {
    const folder = folderWith({
      ...catalogs,
      'toolret/mine/tools.jsonl': weather,
      'written-queries/queries.jsonl': [
        { id: 'w1', query: 'rain later?', kind: 'single', split: 'train', relevant: ['forecast'] },
        { id: 'w2', query: 'boat and rain', kind: 'multi', split: 'train', relevant: ['tides', 'forecast'] },
        {
          id: 'w3',
          query: 'look at my code',
          kind: 'agent',
          split: 'train',
          relevant: ['claude-vijay:copy'],
        },
        { id: 'w4', query: 'fog later?', kind: 'single', split: 'dev', relevant: ['forecast'] },
        { id: 'w5', query: 'fog, LATER', kind: 'single', split: 'train', relevant: ['forecast'] },
        {
          id: 'w6',
          query: 'rain or code',
          kind: 'multi',
          split: 'train',
          relevant: ['tides', 'claude-vijay:copy'],
        },
        { id: 'w7', query: 'nobody', kind: 'multi', split: 'train', relevant: ['tides', 'gone'] },
      ],
    })
    const problems: Problem[] = []
    const { corpora, leftOut } = await readTrainingCorpora([folder], {
      onProblem: (problem) => problems.push(problem),
    })
    expect(corpora.map(({ name, queries }) => [name, namesOf(queries)])).toEqual([
      ['mine', ['w1', 'w2']],
      ['agents', ['w3']],
    ])
    expect(corpora[0]!.queries[1]!.relevant).toEqual(['mine/tides', 'mine/forecast'])
    expect(leftOut).toEqual([
      { set: 'written-queries', forDevelopment: 1, alsoInDevelopment: 1, withoutCards: 2 },
    ])
    expect(problems).toMatchObject([{ severity: 'warning', message: expect.stringContaining('2 queries') }])
  })

  test('a catalog whose first line is damaged keeps the ids of the others', async () => {
    const folder = folderWith({ 'own.jsonl': ['{"id": "own:cut', agent('own:whole', 'Mends bicycles')] })
    const problems: Problem[] = []
    const { corpora } = await readTrainingCorpora([folder], {
      onProblem: (problem) => problems.push(problem),
    })
    expect(corpora[0]!.cards.map(({ id }) => id)).toEqual(['own/whole'])
    expect(problems).toMatchObject([{ severity: 'error', field: 'line 1' }])
  })
})

describe('what is asked for', () => {
  const sets = {
    'bfcl/tools.jsonl': weather,
    'bfcl/queries.jsonl': [query('q1', 'Will it rain?', ['forecast'])],
    'metatool/tools.jsonl': weather,
    'metatool/queries.jsonl': [query('q1', 'Will it snow?', ['forecast'])],
  }

  test('a family that is left out is not read', async () => {
    const { corpora } = await readTrainingCorpora([folderWith(sets)], { leaveOutFamilies: ['bfcl'] })
    expect(corpora.map(({ name }) => name)).toEqual(['metatool'])
  })

  test('a family that does not exist is refused, and the families are named', async () => {
    await expect(
      readTrainingCorpora([folderWith(sets)], { leaveOutFamilies: ['bfcl', 'metatools'] }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('"metatools"'),
      remedy: expect.stringContaining('metatool'),
    })
  })

  test('a folder that does not exist is refused; one without sets is reported', async () => {
    await expect(readTrainingCorpora([join(folderWith({}), 'gone')])).rejects.toThrow('no such folder')
    const problems: Problem[] = []
    const empty = folderWith({ 'notes.jsonl': [{ text: 'nothing to train on' }] })
    const onProblem = (problem: Problem) => problems.push(problem)
    await expect(readTrainingCorpora([empty], { onProblem })).rejects.toThrow('nothing is left to train on')
    expect(problems).toMatchObject([{ severity: 'error', file: empty }])
  })

  test('an abort ends the reading with its reason', async () => {
    const reason = new Error('enough')
    await expect(readTrainingCorpora([folderWith(sets)], { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
  })

  test('a folder given twice counts once; two sets of one name are told apart', async () => {
    const [one, other] = [folderWith(sets), folderWith(sets)]
    const { corpora } = await readTrainingCorpora([one, one, join(one, 'bfcl'), other])
    expect(corpora.map(({ name }) => name)).toEqual(['bfcl', 'metatool', 'bfcl~2', 'metatool~2'])
  })

  test('reading again gives the same', async () => {
    const folder = folderWith(sets)
    expect(await readTrainingCorpora([folder])).toEqual(await readTrainingCorpora([folder]))
  })
})
