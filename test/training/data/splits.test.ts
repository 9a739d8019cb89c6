import { describe, expect, test } from 'vitest'
import { devSets, evaluationSplits } from '../../../evals/benchmarks/src/toolret/dev-sets.ts'
import { isForTraining } from '../../../evals/benchmarks/src/agent-queries.ts'
import {
  familiesBehind,
  isTrainingQuery,
  knownSet,
  parseSplits,
  trainingSplits,
} from '../../../embeddings/trainer/src/data/splits.ts'

const splits = trainingSplits()

describe('the published splits', () => {
  test('what evaluation reads as development sets is never for training', () => {
    for (const name of devSets) {
      const held = evaluationSplits.get(name)
      const use = knownSet(splits, name)?.use
      if (held === undefined) expect([name, use]).toEqual([name, 'dev'])
      else for (const split of held) expect(isTrainingQuery(use!, { split })).toBe(false)
    }
  })

  test('no other tool set is kept apart', () => {
    const apart = splits.sets.filter(({ content, use }) => content === 'tools' && use === 'dev')
    expect(apart.filter(({ name }) => !devSets.includes(name))).toEqual([])
  })

  test('every family is of some set, and every set has its licence', () => {
    const used = new Set(splits.sets.flatMap(({ family, sharesWith = [] }) => [family, ...sharesWith]))
    expect(Object.keys(splits.families).filter((family) => !used.has(family))).toEqual([])
    expect(splits.sets.filter(({ licence }) => licence.trim() === '')).toEqual([])
  })

  test('behind a development set stand its family and those it shares something with', () => {
    expect(familiesBehind(splits, 'ultratool')).toEqual(['ultratool'])
    expect(familiesBehind(splits, 'apigen')).toEqual(['rapidapi', 'bfcl'])
    expect(familiesBehind(splits, 'mine')).toEqual([])
  })
})

test.each([
  { use: 'train' as const, record: {}, expected: true },
  { use: 'dev' as const, record: { split: 'train' }, expected: false },
  { use: { by: 'split' as const, train: ['train'] }, record: { split: 'train' }, expected: true },
  { use: { by: 'split' as const, train: ['train'] }, record: { split: 'test' }, expected: false },
  { use: { by: 'split' as const, train: ['train'] }, record: {}, expected: false },
  { use: { by: 'agent' as const }, record: { relevant: { 'a:b': 1 } }, expected: isForTraining(['a:b']) },
  { use: { by: 'agent' as const }, record: { relevant: { 'a:c': 1 } }, expected: isForTraining(['a:c']) },
  { use: { by: 'agent' as const }, record: {}, expected: false },
])('a query $record is for training: $expected, where $use', ({ use, record, expected }) => {
  expect(isTrainingQuery(use, record)).toBe(expected)
})

const set = { name: 'a', content: 'tools', use: 'train', family: 'f', licence: 'MIT' }
test.each([
  { why: 'not JSON', text: '{', says: 'not JSON' },
  {
    why: 'a use that is not known',
    text: { families: { f: '' }, sets: [{ ...set, use: 'test' }] },
    says: 'sets.0.use',
  },
  {
    why: 'a set without a licence',
    text: { families: { f: '' }, sets: [{ ...set, licence: '' }] },
    says: 'sets.0.licence',
  },
  { why: 'a set twice', text: { families: { f: '' }, sets: [set, set] }, says: '"a" twice' },
  { why: 'a family not described', text: { families: {}, sets: [set] }, says: 'family "f" is not described' },
])('a damaged file is refused: $why', ({ text, says }) => {
  const json = typeof text === 'string' ? text : JSON.stringify(text)
  expect(() => parseSplits('splits.json', json)).toThrow(says)
})
