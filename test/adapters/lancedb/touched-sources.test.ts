import { describe, expect, test } from 'vitest'
import type { StoreHead, RecentCommit } from '../../../src/adapters/lancedb/schemas.ts'
import {
  holdsOn,
  includesCommit,
  recentAfter,
  touchedSources,
} from '../../../src/adapters/lancedb/commit/next-head.ts'
import { emptyReview } from '../../../src/store/source-review.ts'
import { changeOf, stateOf } from '../../contracts/catalog.ts'
import { toolCard } from '../../fakes/fake-audition.ts'

const headOf = (recent: readonly RecentCommit[], store = 'one'): StoreHead =>
  ({ store, commit: recent[0]!.commit, recent }) as StoreHead

const first = headOf([{ commit: '1', sources: ['a'] }])
const headAfter = (...sources: readonly RecentCommit['sources'][]): StoreHead =>
  headOf([...sources.map((of, at) => ({ commit: `${at + 2}`, sources: of })).reverse(), ...first.recent])

test('a change touches the sources of all that it writes', () => {
  const change = changeOf({
    put: [toolCard('put/one')],
    remove: ['removed/one/two'],
    sources: [stateOf('state')],
    removeSources: ['gone'],
    reviews: [emptyReview('held')],
    removeReviews: ['forgotten'],
  })
  expect([...touchedSources(change)].sort()).toEqual(['forgotten', 'gone', 'held', 'put', 'removed', 'state'])
})

describe('a change of source "b"', () => {
  test.each([
    { why: 'nothing came between', now: first, planned: first, holds: true },
    { why: 'another source was changed', now: headAfter(['a'], ['c']), planned: first, holds: true },
    { why: 'the same was changed', now: headAfter(['c'], ['a', 'b']), planned: first, holds: false },
    { why: 'too many were changed to be listed', now: headAfter(null), planned: first, holds: false },
    { why: 'it was the first of all, and so was another', now: first, planned: null, holds: true },
    {
      why: 'it was the first of all, and the other changed the same',
      now: headOf([{ commit: '1', sources: ['b'] }]),
      planned: null,
      holds: false,
    },
    { why: 'the store is gone', now: null, planned: first, holds: false },
    {
      why: 'another store is there',
      now: headOf([{ commit: '1', sources: ['a'] }], 'two'),
      planned: first,
      holds: false,
    },
    {
      why: 'more came between than a head remembers',
      now: headOf([{ commit: '99', sources: ['a'] }]),
      planned: first,
      holds: false,
    },
  ])('holds: $holds, when $why', ({ now, planned, holds }) => {
    expect(holdsOn(now, planned, new Set(['b']))).toBe(holds)
  })
})

test('a change of an empty store holds on while it is empty, say because its first attempt failed on the way', () => {
  expect(holdsOn(null, null, new Set(['a']))).toBe(true)
})

test('a head remembers the last commits, and of each the sources, unless they are many', () => {
  let head: StoreHead | null = null
  for (let at = 1; at <= 40; at += 1) head = headOf(recentAfter(head, `${at}`, new Set([`source-${at}`])))
  expect(head!.recent).toHaveLength(32)
  expect(head!.recent[0]).toEqual({ commit: '40', sources: ['source-40'] })
  expect([includesCommit(head, '9'), includesCommit(head, '8'), includesCommit(null, '9')]).toEqual([
    true,
    false,
    false,
  ])
  const many = new Set(Array.from({ length: 65 }, (_, at) => `source-${at}`))
  expect(recentAfter(head, '41', many)[0]).toEqual({ commit: '41', sources: null })
  // More than a head remembers were committed since the store was empty.
  expect(holdsOn(head, null, new Set(['b']))).toBe(false)
})
