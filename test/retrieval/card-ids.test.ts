import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closestCardIds, completeIds } from '../../src/retrieval/card-ids.ts'
import { memorySnapshot } from '../../src/retrieval/memory-snapshot.ts'
import { stringsIn } from '../../src/retrieval/index/string-table.ts'
import { anyText } from './arbitrary-text.ts'
import { smallCatalog } from './small-catalog.ts'

const { indexes } = await memorySnapshot(smallCatalog)

describe('closestCardIds', () => {
  test.each([
    { why: 'a letter is missing', id: 'forge/list_isues', first: 'forge/list_issues' },
    { why: 'case and separator differ', id: 'Forge/List-Issues', first: 'forge/list_issues' },
    { why: 'the source is missing', id: 'lease-reviewer', first: 'team/lease-reviewer' },
    { why: 'it is Chinese', id: 'zh/翻译', first: 'zh/翻译文本' },
  ])('$id is closest to $first: $why', ({ id, first }) => {
    expect(closestCardIds(indexes, id, { limit: 3 })[0]).toBe(first)
  })

  test('ids of one kind are looked for among that kind', () => {
    expect(closestCardIds(indexes, 'forge/forge', { limit: 5, kind: 'tool' })).not.toContain('forge/forge')
    expect(closestCardIds(indexes, 'forge/forge', { limit: 5, kind: 'agent' })[0]).toBe('forge/forge')
  })

  test('nothing is close to something else', () => {
    expect(closestCardIds(indexes, 'qqqqqqqq', { limit: 5 })).toEqual([])
  })

  test('any text gives at most as many ids as asked, each known and once; a known id is closest to itself', () => {
    const known = smallCatalog.map(({ id }) => id)
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constantFrom(...known)), fc.nat(6), (id, limit) => {
        const found = closestCardIds(indexes, id, { limit })
        expect(found.length).toBeLessThanOrEqual(limit)
        expect(new Set(found).size).toBe(found.length)
        expect(known).toEqual(expect.arrayContaining(found))
        if (limit > 0 && known.includes(id)) expect(found[0]).toBe(id)
      }),
    )
  })
})

describe('completeIds', () => {
  const { ids } = indexes.tool
  test.each([
    { why: 'in order', prefix: 'post/', limit: 9, found: ['post/search_inbox', 'post/send_email'] },
    { why: 'in any case', prefix: 'POST/SE', limit: 9, found: ['post/search_inbox', 'post/send_email'] },
    {
      why: 'up to the limit',
      prefix: 'forge/',
      limit: 2,
      found: ['forge/close_issue', 'forge/create_issue'],
    },
    {
      why: 'first, and those that hold it behind them',
      prefix: 'for',
      limit: 9,
      found: [
        'forge/close_issue',
        'forge/create_issue',
        'forge/getUserById',
        'forge/list_issues',
        'mirror/get_forecast',
        'sky/get_forecast',
      ],
    },
    {
      why: 'anywhere when none begins with it',
      prefix: 'forecast',
      limit: 9,
      found: ['mirror/get_forecast', 'sky/get_forecast'],
    },
    { why: 'none when none holds it', prefix: 'qqq', limit: 9, found: [] },
    { why: 'none when none are wanted', prefix: 'post', limit: 0, found: [] },
  ])('completes "$prefix" with ids $why', ({ prefix, limit, found }) => {
    expect(completeIds(stringsIn(ids), prefix, limit)).toEqual(found)
  })
})
