import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boostedTrees } from '../../../src/retrieval/rank/boosted-trees.ts'
import { openTrees, packTrees } from '../../../src/retrieval/rank/packed-trees.ts'
import { arbitraryRow, arbitraryTree, modelOf } from '../arbitrary-trees.ts'

const features = ['words', 'similarity', 'größe']
const file = 'embeddings/ranker.trees'
const someModel = modelOf(
  [
    {
      value: 0,
      feature: 2,
      threshold: 0.1,
      missing: 'right',
      left: { value: -0.3 },
      right: { value: 0.3 },
    },
    { value: 0.7 },
  ],
  features,
  0.123456789,
)
const bytes = packTrees(someModel)

test('an opened model gives the same scores to the last bit', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryTree(3), { maxLength: 6 }),
      fc.array(arbitraryRow(3), { maxLength: 9 }),
      // JSON knows no negative zero.
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      (trees, rows, initial) => {
        const model = modelOf(trees, features, initial)
        const numbers = Float32Array.from(rows.flat())
        const opened = openTrees(packTrees(model), { features, file })
        expect(opened.score(numbers, rows.length)).toEqual(boostedTrees(model).score(numbers, rows.length))
        expect(opened.features).toEqual(features)
      },
    ),
  )
})

test('bytes that start anywhere in a larger buffer are read', () => {
  const larger = new Uint8Array(bytes.length + 3)
  larger.set(bytes, 3)
  expect(openTrees(larger.subarray(3), { features, file }).trees).toBe(2)
})

describe('bytes that are not such a model are refused', () => {
  test('whichever byte is changed', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = bytes.slice()
        damaged[at]! ^= change
        expect(() => openTrees(damaged, { features, file })).toThrow(/^embeddings\/ranker\.trees: .*again\.$/)
      }),
    )
  })

  test('wherever they end', () => {
    for (let end = 0; end < bytes.length; end += 1)
      expect(() => openTrees(bytes.subarray(0, end), { features, file })).toThrow(/^embeddings\/.*again\.$/)
  })

  /** The bytes with some exchanged and the checksum made right again. */
  const forged = (from: number, words: Uint8Array | string): Uint8Array => {
    const own = typeof words === 'string' ? new TextEncoder().encode(words) : words
    const body = Uint8Array.from([
      ...bytes.subarray(0, from),
      ...own,
      ...bytes.subarray(from + own.length, Math.max(from, bytes.length - 32)),
    ])
    return Uint8Array.from([...body, ...createHash('sha256').update(body).digest()])
  }
  const withoutChecksum = bytes.length - 32
  test.each([
    {
      why: 'another file',
      bytes: new TextEncoder().encode('{"trees": []}'),
      says: 'is not a model of boosted',
    },
    {
      why: 'one byte flipped',
      bytes: bytes.map((byte, at) => (at === 70 ? byte ^ 1 : byte)),
      says: 'damaged',
    },
    {
      why: 'a later version',
      bytes: forged(16, Uint8Array.of(2)),
      says: 'format version 2, this program reads 1',
    },
    { why: 'a header that is no JSON', bytes: forged(24, '['), says: 'the header is not readable' },
    {
      why: 'a header beyond the file',
      bytes: forged(20, Uint8Array.of(255, 255)),
      says: 'header is not readable',
    },
    {
      why: 'more bytes than nodes',
      bytes: forged(withoutChecksum, 'more'),
      says: 'bytes of nodes, the file has',
    },
    {
      why: 'a leaf of NaN',
      bytes: forged(withoutChecksum - 2, Uint8Array.of(255, 255)),
      says: 'Tree 1, node 0',
    },
  ])('$why', ({ bytes: wrong, says }) => {
    const open = () => openTrees(wrong, { features, file })
    expect(open).toThrow(says)
    expect(open).toThrow(/^embeddings\/ranker\.trees: .* Fetch the file again, or train the model again\.$/)
  })
})

test.each([
  {
    why: 'another order',
    own: ['similarity', 'words', 'größe'],
    says: 'feature 1 is "words" there and "similarity" here',
  },
  {
    why: 'one more',
    own: [...features, 'lift'],
    says: 'on 3 features, this version computes 4; feature 4 is absent there',
  },
  { why: 'one fewer', own: ['words', 'similarity'], says: 'feature 3 is "größe" there and absent here' },
])('a model for other features is refused: $why', ({ own, says }) => {
  const open = () => openTrees(bytes, { features: own, file })
  expect(open).toThrow(`${file}: the model was trained on`)
  expect(open).toThrow(says)
})
