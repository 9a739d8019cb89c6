import { expect, test } from 'vitest'
import { rankingsBefore, replay } from '../../../bench/uses-replay.ts'
import { recordText } from '../../../src/retrieval/record/record-text.ts'
import { recordIndex } from '../../../src/retrieval/record/record-index.ts'
import { recordEstimates } from '../../../src/retrieval/record/record-estimate.ts'

const day = 86_400_000
const at = Date.parse('2026-11-01T00:00:00Z')

/** Uses of one card, an hour between two of them: `w` worked, `f` failed, `t` timed out, `n` says nothing, `s` slow, `e` empty. */
function used(pattern: string, from = at) {
  const answered = 'answered' as const
  const endings = { w: answered, s: answered, f: 'failed', t: 'limit', n: 'cancelled', e: 'empty' } as const
  return [...pattern].map((letter, place) => ({
    id: `${from} ${place}`,
    card: 'a/tool',
    cardHash: 'x',
    task: '',
    isUse: true,
    grade: null,
    vector: null,
    ending: endings[letter as keyof typeof endings],
    seconds: letter === 's' ? 40 : 0.5,
    time: from + place * 3_600_000,
  }))
}

const availabilityOf = (pattern: string, kind: 'tool' | 'agent' = 'tool'): number => {
  const index = recordIndex(null)
  index.add(used(pattern))
  return index.uses.availability('a/tool', kind)
}

test.each([
  { why: 'never used', pattern: '', is: 1 },
  { why: 'always works: quality is not what uses tell', pattern: 'wwwwwwwwww', is: 1 },
  { why: 'failed once, the first time', pattern: 'f', is: 1 },
  { why: 'failed three times in a row', pattern: 'fff', is: 1 },
  { why: 'fails now and then', pattern: 'wwfwwfwwfw', is: 1 },
  { why: 'finds nothing now and then, as searches do', pattern: 'eeeweeeee', is: 1 },
  { why: 'found nothing so far, and that may be chance', pattern: 'eeeee', is: 1 },
  { why: 'is asked wrongly, or refused: no fault of its own', pattern: 'nnnnnnnnnn', is: 1 },
])('a card that is $why loses nothing', ({ pattern, is }) => {
  expect(availabilityOf(pattern)).toBe(is)
})

test('what fails, takes too long or is slow loses, the more the longer; agents may take their time', () => {
  const [four, ten] = [availabilityOf('ffff'), availabilityOf('ffffffffff')]
  expect(four).toBeLessThan(1)
  expect(ten).toBeLessThan(0.3)
  expect(availabilityOf('tttttttttt')).toBeCloseTo(ten)
  expect(availabilityOf('ssssssssss')).toBeLessThan(0.85)
  expect(availabilityOf('ssssssssss', 'agent')).toBe(1)
})

test('what never gave anything loses as what fails, and is told so; once it gave something, its empty answers are answers', () => {
  expect(availabilityOf('eeeeeeeeee')).toBe(availabilityOf('ffffffffff'))
  const summaryOf = (pattern: string) => {
    const index = recordIndex(null)
    index.add(used(pattern))
    return index.uses.summary('a/tool')
  }
  expect(summaryOf('eeeee')).toEqual({ uses: 0, worked: 0 })
  expect(summaryOf('eeeeee')).toEqual({ uses: 6, worked: 0 })
  expect(summaryOf('eeeeeew')).toEqual({ uses: 7, worked: 7 })
})

test('a card that works again is back, and what was long ago fades', () => {
  expect(availabilityOf(`${'f'.repeat(6)}${'w'.repeat(8)}`)).toBe(1)
  const index = recordIndex(null)
  index.add(used('ffffffffff'))
  const fresh = index.uses.availability('a/tool', 'tool')
  index.add(used('w', at + 60 * day))
  expect(index.uses.availability('a/tool', 'tool')).toBeGreaterThan(fresh)
  expect(index.uses.availability('a/tool', 'tool')).toBe(1)
})

test('uses stand beside what was judged: they count in no verdict and hide none', () => {
  const index = recordIndex(null)
  const judged = { ...used('w')[0]!, id: 'judged', task: 'do it', isUse: false, grade: 5, time: at - day }
  index.add([judged])
  const before = recordEstimates(index, {
    need: { texts: ['do it'], vectors: [] },
    cards: [{ id: 'a/tool' }],
  })
  index.add(used('f'.repeat(500)))
  const after = recordEstimates(index, { need: { texts: ['do it'], vectors: [] }, cards: [{ id: 'a/tool' }] })
  expect(after).toEqual(before)
  expect(index.size).toBe(501)
  expect(index.uses.summary('a/tool')).toEqual({ uses: 500, worked: 0 })
  index.add(used('f'.repeat(500)))
  expect(index.size).toBe(501)
})

test('a search tells of uses in words', () => {
  const none = { runs: 0, successes: 0, similarRuns: 0, similarSuccesses: 0, medianSeconds: null }
  expect(recordText({ ...none, used: { uses: 12, worked: 11 } })).toBe('answered 11 of 12 calls')
  expect(recordText({ ...none, runs: 2, successes: 2, used: { uses: 3, worked: 0 } })).toBe(
    'worked 2 of 2 times; answered 0 of 3 calls',
  )
})

test('of 400 tools, 20% broken in five ways: after 10 uses each they left the first places, and no sound one fell', async () => {
  const rankings = await rankingsBefore()
  const draws = Array.from({ length: 10 }, (_, seed) => replay(rankings, { seed: 500 + seed, uses: 10 }))
  const total = (of: 'before' | 'after' | 'fallen') => draws.reduce((sum, draw) => sum + draw[of], 0)
  expect(total('before')).toBeGreaterThan(100)
  expect(1 - total('after') / total('before')).toBeGreaterThanOrEqual(0.8)
  expect(total('fallen')).toBe(0)
})
