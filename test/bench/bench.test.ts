import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { readArguments } from '../../bench/arguments.ts'
import { benches } from '../../bench/benches.ts'
import { above, atLeast, atMost, fixed } from '../../bench/bench.ts'
import { readCorpus, readToolLines, writeCorpus } from '../../bench/corpus.ts'
import { tableLines } from '../../bench/render.ts'
import { macro, difference } from '../../bench/scores.ts'
import { medianPercentiles, percentiles } from '../../bench/statistics.ts'
import { syntheticQueries, syntheticTools } from '../../bench/synthetic.ts'
import { splitWords, stemmedWord } from '../../bench/systems/words.ts'
import { spread } from '../../bench/workplace.ts'

describe('floors', () => {
  test.each([
    { why: 'the limit itself is kept', floor: atMost('x', 2, 2, ' x'), outcome: 'ok', measured: '2.00 x' },
    {
      why: 'a hair above is missed',
      floor: atMost('x', 2, 2.01, ' x'),
      outcome: 'missed',
      measured: '2.01 x',
    },
    { why: 'no error is no error', floor: atMost('x', 0, 0), outcome: 'ok', measured: '0' },
    { why: 'nothing was measured', floor: atMost('x', 2, undefined), outcome: 'unmeasured', measured: '-' },
    {
      why: 'a ratio of nothing is no figure',
      floor: atMost('x', 2, Number.NaN),
      outcome: 'unmeasured',
      measured: '-',
    },
    {
      why: 'at least counts the limit',
      floor: atLeast('x', 62.5, 62.5),
      outcome: 'ok',
      measured: '62.5',
    },
    { why: 'less is missed', floor: atLeast('x', 62.5, 62.4), outcome: 'missed', measured: '62.4' },
    { why: 'a tie is not above', floor: above('x', 'other', 50, 50), outcome: 'missed', measured: '50.0' },
    {
      why: 'the other was not measured',
      floor: above('x', 'other', undefined, 50),
      outcome: 'unmeasured',
      measured: '-',
    },
  ])('$outcome when $why', ({ floor, outcome, measured }) => {
    expect(floor).toMatchObject({ outcome, measured })
  })
})

test.each([
  [0, '0'],
  [0.1234, '0.12'],
  [9.994, '9.99'],
  [9.996, '10.0'],
  [99.96, '100'],
  [1234.5, '1235'],
  [-0.5, '-0.50'],
])('%d is printed as %s', (value, printed) => {
  expect(fixed(value)).toBe(printed)
})

describe('percentiles', () => {
  test('one spoilt pass of three does not change the figure', () => {
    const calm = percentiles([1, 2, 3, 4])
    const spoilt = percentiles([100, 200, 300, 400])
    expect(medianPercentiles([calm, spoilt, calm])).toEqual({ p50: 2, p95: 4, p99: 4 })
  })
})

describe('corpora', () => {
  const folders: string[] = []
  const folder = (): string => {
    folders.push(mkdtempSync(join(tmpdir(), 'bench-test-')))
    return folders.at(-1)!
  }
  afterEach(() => {
    for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
  })

  test('made-up tools are the same every time, and every one is read as a card', () => {
    const tools = syntheticTools(50)
    expect(syntheticTools(50)).toEqual(tools)
    const path = folder()
    writeCorpus(path, tools)
    const cards = readCorpus(path)
    expect(new Set(cards.map(({ id }) => id))).toEqual(new Set(tools.map(({ set, id }) => `${set}/${id}`)))
    expect(cards.every(({ description }) => description !== '')).toBe(true)
  })

  test('the order of tools does not depend on the order of files, and mixes the sets', () => {
    const path = folder()
    writeCorpus(path, syntheticTools(200).toReversed())
    const lines = readToolLines(path)
    expect(lines).toHaveLength(200)
    const other = folder()
    writeCorpus(other, lines)
    expect(readToolLines(other)).toEqual(lines)
    expect(new Set(lines.slice(0, 60).map(({ set }) => set)).size).toBe(10)
  })

  test('made-up queries share words with made-up tools', () => {
    const known = new Set(syntheticTools(500).flatMap(({ line }) => line.split(/\W+/)))
    const queries = syntheticQueries(20)
    expect(queries.filter((query) => query.split(' ').some((word) => known.has(word)))).toHaveLength(20)
  })
})

test('a sample is spread over all items and never larger than asked', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 40 }), (items, count) => {
      const sample = spread(items, count)
      expect(sample).toHaveLength(Math.min(items.length, count))
      if (items.length > 0) expect(sample[0]).toBe(items[0])
    }),
  )
})

test('the macro-average counts sets, not queries, and a difference is paired', () => {
  const ours = new Map([
    ['large', [100, 100, 100, 100]],
    ['small', [0]],
  ])
  expect(macro(ours).mean).toBe(50)
  const theirs = new Map([
    ['large', [90, 100, 100, 90]],
    ['small', [0]],
  ])
  expect(macro(difference(ours, theirs))).toMatchObject({ mean: 2.5 })
})

test.each([
  ['getUserById', ['get', 'user', 'by', 'id']],
  ['get_user_by_id', ['get', 'user', 'by', 'id']],
  ['HTTPServer2Go', ['http', 'server2', 'go']],
])('the rivals see the words of %s', (identifier, expected) => {
  expect(splitWords(identifier).map((word) => word.toLowerCase())).toEqual(expected)
})

test('the rivals stem words and drop the common ones', () => {
  expect(['Searching', 'the', 'searches'].map(stemmedWord)).toEqual(['search', null, 'search'])
})

test('tables line up', () => {
  const lines = tableLines(
    ['system', 'ms'],
    [
      ['a', '1.00'],
      ['longer name', '10.0'],
    ],
  )
  expect(new Set(lines.map(({ length }) => length)).size).toBe(1)
  expect(lines[2]).toBe('| a           | 1.00 |')
})

describe('arguments', () => {
  const set = { command: 'bench', title: 'Audition bench', benches }

  test('without names all benches run', () => {
    expect(readArguments([], set).chosen.map(({ name }) => name)).toEqual([
      'install',
      'indexing',
      'servers',
      'embedding',
      'reader',
      'reading',
      'latency',
      'tiers',
      'startup',
      'http',
      'threads',
      'page',
      'load',
      'misbehaving',
      'annotated',
      'answers',
      'call',
      'simulate',
      'compose',
      'models',
      'context',
      'counterfactual',
      'quality',
      'hosts',
      'verdict',
      'record',
      'record-writers',
      'uses',
      'probe-lift',
      'early-stop',
      'million',
      'fleet',
      'engine',
    ])
  })
  test('named ones run in the order of the table', () => {
    expect(readArguments(['quality', 'latency', '--quick'], set)).toMatchObject({
      chosen: [{ name: 'latency' }, { name: 'quality' }],
      quick: true,
    })
  })
  test('an unknown one is named together with those that exist', () => {
    expect(() => readArguments(['speed'], set)).toThrow('Nothing is named "speed". Names: install, indexing,')
  })
})
