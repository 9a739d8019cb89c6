import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byteTokens } from '../../src/vectors/embedding/segment-word.ts'
import { vocabularyOf } from '../../src/vectors/embedding/vocabulary.ts'
import { bytePairPieces } from '../../embeddings/trainer/src/byte-pair-pieces.ts'
import { countWords } from '../../embeddings/trainer/src/corpus-vocabulary.ts'
import { learnVocabulary } from '../../embeddings/trainer/src/learn-vocabulary.ts'

const word = fc.stringMatching(/^[abcпо天]{1,8}$/u)
const countedWords = fc.uniqueArray(fc.tuple(word, fc.integer({ min: 1, max: 20 })), {
  maxLength: 40,
  selector: ([text]) => text,
})

/** Byte-pair encoding with every pair counted anew for every merge. */
function naivePieces(
  words: readonly (readonly [string, number])[],
  size: number,
  minimumCount: number,
): string[] {
  const split = words.map(([text, count]) => ({
    parts: Array.from(text, (character, place) => (place === 0 ? character : `##${character}`)),
    count,
  }))
  const characters = new Map<string, number>()
  for (const { parts, count } of split)
    for (const part of parts) characters.set(part, (characters.get(part) ?? 0) + count)
  const order = [...characters.keys()].sort((a, b) => (a < b ? -1 : 1))
  const pieces = order.filter((text) => characters.get(text)! >= minimumCount).slice(0, size)
  while (pieces.length < size) {
    const counts = new Map<string, { left: string; right: string; count: number }>()
    for (const { parts, count } of split)
      for (let place = 1; place < parts.length; place += 1) {
        const [left, right] = [parts[place - 1]!, parts[place]!]
        const known = counts.get(`${left} ${right}`)
        counts.set(`${left} ${right}`, { left, right, count: (known?.count ?? 0) + count })
      }
    const best = [...counts.values()].sort(
      (a, b) =>
        b.count - a.count ||
        order.indexOf(a.left) - order.indexOf(b.left) ||
        order.indexOf(a.right) - order.indexOf(b.right),
    )[0]
    if (best === undefined || best.count < minimumCount) break
    const text = best.left + best.right.slice(2)
    if (!order.includes(text)) {
      order.push(text)
      pieces.push(text)
    }
    for (const entry of split) {
      const after: string[] = []
      for (let place = 0; place < entry.parts.length; place += 1) {
        if (entry.parts[place] === best.left && entry.parts[place + 1] === best.right) {
          after.push(text)
          place += 1
        } else after.push(entry.parts[place]!)
      }
      entry.parts = after
    }
  }
  return pieces
}

describe('byte-pair pieces', () => {
  test('pairs whose counts are kept up to date give what counting anew gives', () => {
    fc.assert(
      fc.property(countedWords, fc.nat(60), fc.integer({ min: 1, max: 5 }), (words, size, minimumCount) => {
        const pieces = bytePairPieces(words, size, minimumCount).map(([text]) => text)
        expect(pieces).toEqual(naivePieces(words, size, minimumCount))
      }),
      { numRuns: 500 },
    )
  })
})

describe('learning a vocabulary', () => {
  const counts = new Map([
    ...([
      ['weather', 90],
      ['user', 80],
      ['file', 70],
      ['get', 60],
      ['reading', 30],
      ['asking', 30],
    ] as const),
    ...([
      ['walking', 2],
      ['talking', 2],
      ['ω', 1],
    ] as const),
  ])

  test('frequent words are whole, frequent pieces stand for rare ones', () => {
    const vocabulary = vocabularyOf(learnVocabulary(counts, 300, { minimumCount: 4 }))
    const read = (text: string) => Array.from(vocabulary.encode(text, 50), (id) => vocabulary.tokens[id])
    expect(read('weather reading')).toEqual(['weather', 'reading'])
    expect(read('walking').at(-1)).toMatch(/^##.*ing$/)
    expect(read('ω')).toEqual(['<0xcf>', '<0x89>'])
    expect(vocabulary.tokens).not.toContain('walking')
  })

  test('the size is kept, the bytes lead, and the most used words follow', () => {
    for (const size of [256, 257, 260, 262]) {
      const tokens = learnVocabulary(counts, size, { minimumCount: 4 })
      expect(tokens).toHaveLength(size)
      expect(tokens.slice(0, 256)).toEqual(byteTokens)
      expect(tokens.slice(256, 260)).toEqual(['weather', 'user', 'file', 'get'].slice(0, size - 256))
    }
  })

  test('a token no word uses is left out, even where there is room', () => {
    expect(learnVocabulary(new Map([['weather', 9]]), 300, { minimumCount: 1 }).slice(256)).toEqual([
      'weather',
    ])
  })

  test('neither the order of the counts nor a second run changes the tokens', () => {
    const shuffled = countedWords.chain((words) =>
      fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: words.length })),
    )
    fc.assert(
      fc.property(shuffled, fc.integer({ min: 256, max: 330 }), ([words, others], size) => {
        const tokens = learnVocabulary(new Map(words), size, { minimumCount: 2 })
        expect(learnVocabulary(new Map(others), size, { minimumCount: 2 })).toEqual(tokens)
        expect(tokens.length).toBeLessThanOrEqual(size)
        expect(vocabularyOf(tokens).size).toBe(tokens.length)
      }),
    )
  })

  test('progress ends at the whole', () => {
    const shares: number[] = []
    learnVocabulary(counts, 300, { minimumCount: 1, onProgress: (_, share) => shares.push(share) })
    expect(shares.at(-1)).toBe(1)
    expect(shares.every((share) => share > 0 && share <= 1)).toBe(true)
  })

  test.each([
    { why: 'too small a size', size: 255, minimumCount: 1, message: 'at least the 256 bytes' },
    { why: 'a size that is no number', size: Number.NaN, minimumCount: 1, message: 'its size is NaN' },
    { why: 'a minimum of nothing', size: 300, minimumCount: 0, message: 'minimumCount is 0' },
  ])('$why is refused', ({ size, minimumCount, message }) => {
    expect(() => learnVocabulary(counts, size, { minimumCount })).toThrow(message)
  })
})

test('words are counted over all texts, short names with digits also joined', () => {
  const counts = countWords(['GitHub S3 bucket', 'bucket, s3!'])
  expect(Object.fromEntries(counts)).toEqual({ git: 1, hub: 1, s: 2, 3: 2, s3: 2, bucket: 2 })
})
