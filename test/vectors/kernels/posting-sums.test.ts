import { describe, expect, test } from 'vitest'
import { scanMemory } from '../../../src/vectors/kernels/dense-scan.ts'
import { openPostingSums } from '../../../src/vectors/kernels/posting-sums.ts'
import { seededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'

describe('sums of postings', () => {
  test.each([1, 3, 4, 1001])('are those of single precision, over %i documents', (documents) => {
    const random = seededRandom(documents)
    const lists = Array.from({ length: 12 }, () => {
      const own = Array.from({ length: documents }, (_, at) => at).filter(() => random.below(3) === 0)
      return {
        own: Uint32Array.from(own),
        impacts: Uint16Array.from(own, () => 1 + random.below(65_535)),
        weight: random.below(1000) / 7e6,
      }
    })
    const memory = scanMemory(8 * documents * lists.length + 64)
    const buffer = memory.bytes.buffer
    let at = memory.bytes.byteOffset
    const placed = lists.map(({ own, impacts, weight }) => {
      const postings = {
        documents: new Uint32Array(buffer, at, own.length),
        impacts: new Uint16Array(buffer, at + 4 * own.length, own.length),
      }
      postings.documents.set(own)
      postings.impacts.set(impacts)
      at += 8 * documents
      return { postings, weight }
    })
    const sums = openPostingSums(memory.shared, documents)
    for (const round of [1, 2]) {
      const wanted = new Float32Array(documents)
      sums.clear()
      for (const { postings, weight } of placed.slice(0, 6 * round)) {
        sums.add(postings, weight)
        postings.documents.forEach((document, place) => {
          wanted[document] = wanted[document]! + weight * postings.impacts[place]!
        })
      }
      expect([...sums.sums.subarray(0, documents)]).toEqual([...wanted])
      const bar = wanted[documents >> 1]!
      const reaching = [...wanted.keys()].filter((document) => wanted[document]! >= bar && bar > 0)
      if (bar > 0) expect([...sums.reaching(bar)]).toEqual(reaching)
    }
  })
})
