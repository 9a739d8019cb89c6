import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readWordVectors } from '../../embeddings/trainer/src/word-vectors/read-word-vectors.ts'
import { removeCommon } from '../../embeddings/trainer/src/word-vectors/remove-common.ts'

const fileWith = (content: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'vectors-')), 'vectors')
  writeFileSync(file, content)
  return file
}
const wanted = new Set(['send', 'mail', 'absent'])

describe('word vectors', () => {
  test.each([
    { why: "GloVe's text", content: 'the 1 0 0\nsend 0.5 -1 2e-1\n. . 9 9 9\nmail 0 0 1\n' },
    {
      why: "word2vec's text, with its counts first",
      content: '4 3\nthe 1 0 0\nsend 0.5 -1 0.2\n. 9 9 9\nmail 0 0 1\r\n',
    },
    {
      why: 'the JSON of wink-embeddings, with numbers beyond the vector',
      content: JSON.stringify({
        dimensions: 3,
        words: ['the', 'send', '.', 'mail'],
        vectors: {
          the: [1, 0, 0, 7, 0],
          send: [0.5, -1, 0.2, 7, 1],
          '.': [9, 9, 9, 7, 2],
          mail: [0, 0, 1, 7, 3],
        },
      }),
    },
  ])('are read from $why', async ({ content }) => {
    const { dimensions, frequent, ofWords } = await readWordVectors(fileWith(content), wanted)
    expect(dimensions).toBe(3)
    expect([...ofWords.keys()]).toEqual(['send', 'mail'])
    expect([...ofWords.get('send')!]).toEqual([...Float32Array.of(0.5, -1, 0.2)])
    expect(frequent).toHaveLength(12)
    expect([...frequent.subarray(6, 9)]).toEqual([9, 9, 9])
  })

  test.each([
    {
      why: 'a line with too few numbers',
      content: 'the 1 0 0\nsend 1 0\n',
      message: /line 2 is not a word and 3 numbers/,
    },
    { why: 'a line with a word for a number', content: 'the 1 0 0\nsend 1 0 x\n', message: /line 2 is not/ },
    { why: 'no lines', content: '', message: /is empty/ },
    { why: 'JSON cut short', content: '{"dimensions": 3, ', message: /cannot be read as JSON/ },
    { why: 'JSON without words', content: '{"dimensions": 3}', message: /"words" or "vectors" is missing/ },
    {
      why: 'a vector that is too short',
      content: JSON.stringify({ dimensions: 3, words: ['the'], vectors: { the: [1, 2] } }),
      message: /the vector of "the" is not 3 numbers/,
    },
  ])('$why: is refused with the file and the place', async ({ content, message }) => {
    const file = fileWith(content)
    const refused = readWordVectors(file, wanted)
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toThrow(file)
  })

  test('lose what frequent words have in common, and keep what tells words apart', () => {
    // All share a mean of 5 in the first place and spread widely along the second and third; meaning is in the others.
    const width = 8
    const spread = [0, 40, 20, 1, 0.9, 0.8, 0.7, 0.6]
    const rows = Array.from({ length: 500 }, (_, row) =>
      spread.map((amount, at) => (at === 0 ? 5 : amount * Math.sin((row + 1) * (at + 1) * 1.37))),
    )
    const cleaned = removeCommon({
      dimensions: width,
      frequent: Float32Array.from(rows.flat()),
      ofWords: new Map(rows.map((row, place) => [`word${place}`, Float32Array.from(row)])),
    })
    expect(cleaned.size).toBe(500)
    for (const vector of cleaned.values()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
      expect(Math.hypot(vector[0]!, vector[1]!, vector[2]!)).toBeLessThan(0.35)
    }
  })
})
