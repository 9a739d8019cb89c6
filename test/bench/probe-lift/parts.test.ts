import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { halfOf } from '../../../bench/probe-lift/measure-probe-lift.ts'
import { rankChanges } from '../../../bench/probe-lift/rank-changes.ts'
import { readVariants } from '../../../bench/probe-lift/variants/variants.ts'
import { folderWith } from '../../catalog/temporary-folder.ts'

describe('rank changes', () => {
  test.each([
    { why: 'it stands higher', before: 'abc', after: 'cab', id: 'c', counts: [1, 0, 0] },
    { why: 'it stands where it stood', before: 'abc', after: 'bac', id: 'c', counts: [0, 1, 0] },
    { why: 'another passed it', before: 'abc', after: 'bac', id: 'a', counts: [0, 0, 1] },
    { why: 'it is no candidate any more', before: 'abc', after: 'ab', id: 'c', counts: [0, 0, 1] },
    { why: 'it never was one', before: 'ab', after: 'cab', id: 'c', counts: [0, 0, 0] },
  ])('rose, same, fell are $counts when $why', ({ before, after, id, counts }) => {
    const seen = rankChanges()
    seen.add('q', [...before], [...after], [id])
    const { rose, same, fell, compared } = seen.summary()
    expect([rose, same, fell]).toEqual(counts)
    expect(compared).toBe(rose + same + fell)
  })

  test('tell the deepest falls first, who is gone before all', () => {
    const seen = rankChanges()
    seen.add('q', [...'abcd'], [...'bcda'], [...'abcd'])
    seen.add('r', [...'ab'], [...'b'], ['a'])
    expect(seen.summary().worst).toEqual([
      { query: 'r', id: 'a', before: 1, after: null },
      { query: 'q', id: 'a', before: 1, after: 4 },
    ])
  })
})

test('half of the ids is the same half in every order', () => {
  const ids = fc.uniqueArray(fc.string(), { maxLength: 40 })
  fc.assert(
    fc.property(ids, (some) => {
      const half = halfOf(some)
      expect(half.size).toBe(Math.floor(some.length / 2))
      expect(halfOf(some.toReversed())).toEqual(half)
    }),
  )
})

describe('the answer key', () => {
  const fileOf = (text: string): string => {
    const file = join(folderWith({}), 'variants.tsv')
    writeFileSync(file, text)
    return file
  }
  const head = 'server\ttool\tpublisher\tfault\n'

  test('gives each variant the id of its card', () => {
    expect(readVariants(fileOf(`${head}calendar\tleap_year\tcedar\tstale\n`))).toEqual([
      {
        id: 'cedar-calendar/leap_year',
        server: 'calendar',
        tool: 'leap_year',
        publisher: 'cedar',
        fault: 'stale',
      },
    ])
  })

  test.each([
    { why: 'its head is another', text: 'a\tb\n', line: 1 },
    { why: 'a column is missing', text: `${head}calendar\tleap_year\tcedar\n`, line: 2 },
    { why: 'a column is too many', text: `${head}a\tb\tc\td\n${'a\tb\tc\td\te'}\n`, line: 3 },
  ])('is refused with its line when $why', ({ text, line }) => {
    expect(() => readVariants(fileOf(text))).toThrow(`line ${line}: not the four columns`)
  })
})
