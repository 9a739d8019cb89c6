import { appendFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type VectorCache, vectorCache, recordSize } from '../../src/vectors/vector-cache.ts'
import { roundedVector } from '../../src/vectors/rounded-vector.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

const dimensions = 8
const size = recordSize(dimensions)

const cacheIn = (folder: string, more: Partial<Parameters<typeof vectorCache>[0]> = {}): VectorCache =>
  vectorCache({ file: join(folder, 'readings', 'a.bin'), dimensions, salt: '1 96', ...more })

/** A text's own vector. */
const read = (text: string) => {
  const letters = Array.from({ length: dimensions }, (_, at) => (text.charCodeAt(at) || 1) - 90)
  return { text, vector: roundedVector(Float32Array.from(letters), [dimensions])! }
}
const readAll = (texts: readonly string[]) => texts.map(read)
const vectorsOf = (texts: readonly string[]) => texts.map((text) => read(text).vector)

describe('what was read of cards', () => {
  test('is found again by its text, in this process and the next', () => {
    const folder = temporaryFolder()
    const cache = cacheIn(folder)
    expect(cache.find(['one', 'two'])).toEqual([undefined, undefined])
    cache.add(readAll(['one', 'two']))
    expect(cache.find(['two', 'three', 'one'])).toEqual([read('two').vector, undefined, read('one').vector])
    cache.add(readAll(['three']))
    expect(cache.find(['three'])).toEqual(vectorsOf(['three']))
    expect(cacheIn(folder).find(['one', 'two', 'three'])).toEqual(vectorsOf(['one', 'two', 'three']))
    expect(statSync(join(folder, 'readings', 'a.bin')).size).toBe(3 * size)
  })

  test('is another one where more is read of a text', () => {
    const folder = temporaryFolder()
    cacheIn(folder).add(readAll(['one']))
    expect(cacheIn(folder, { salt: '1 128' }).find(['one'])).toEqual([undefined])
  })

  test('is seen by every process that adds to the same file', () => {
    const folder = temporaryFolder()
    const caches = [cacheIn(folder), cacheIn(folder), cacheIn(folder)]
    const texts = Array.from({ length: 90 }, (_, at) => `text ${at}`)
    texts.forEach((text, at) => {
      caches[at % 3]!.add([read(text)])
      if (at % 7 === 0) expect(caches[(at + 1) % 3]!.find([text])).toEqual(vectorsOf([text]))
    })
    for (const cache of caches) expect(cache.find(texts)).toEqual(vectorsOf(texts))
  })

  test('is passed over where a record is torn or damaged; all others are found', () => {
    const texts = Array.from({ length: 12 }, (_, at) => `${at} text`)
    const harm = fc.record({
      at: fc.integer({ min: 0, max: 12 * size }),
      kind: fc.constantFrom('cut', 'flip', 'rubbish', 'zeros'),
      bytes: fc.uint8Array({ minLength: 1, maxLength: 2 * size }),
    })
    fc.assert(
      fc.property(harm, fc.nat(11), ({ at, kind, bytes }, before) => {
        const folder = temporaryFolder()
        const file = join(folder, 'readings', 'a.bin')
        const early = cacheIn(folder)
        early.add(readAll(texts.slice(0, before)))
        early.find(texts)
        early.add(readAll(texts.slice(before)))
        const whole = readFileSync(file)
        const harmed = {
          cut: whole.subarray(0, at),
          flip: Buffer.from(whole.map((byte, place) => (place === at ? byte ^ 4 : byte))),
          rubbish: Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at)]),
          zeros: Buffer.concat([whole.subarray(0, at), Buffer.alloc(bytes.length), whole.subarray(at)]),
        }[kind]
        writeFileSync(file, harmed)
        const cache = cacheIn(folder)
        cache.add(readAll(['later']))
        const [later, ...found] = cache.find(['later', ...texts])
        expect(later).toEqual(read('later').vector)
        const own = Math.floor(at / size)
        texts.forEach((text, place) => {
          if (found[place] !== undefined) expect(found[place]).toEqual(read(text).vector)
          else if (kind === 'cut') expect(place).toBeGreaterThanOrEqual(own)
          else expect(place).toBe(own)
        })
      }),
      { numRuns: 60 },
    )
  })

  test('of a record that is still being written is found once it is whole', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'readings', 'a.bin')
    cacheIn(folder).add(readAll(['one', 'two']))
    const whole = readFileSync(file)
    truncateSync(file, size + 9)
    const cache = cacheIn(folder)
    expect(cache.find(['one', 'two'])).toEqual([read('one').vector, undefined])
    appendFileSync(file, whole.subarray(size + 9))
    expect(cache.find(['two'])).toEqual(vectorsOf(['two']))
  })

  test('is begun anew when it grows too large, also for who has it open', () => {
    const folder = temporaryFolder()
    const [writer, reader] = [cacheIn(folder, { mostBytes: 5 * size }), cacheIn(folder)]
    writer.add(readAll(['one', 'two', 'three', 'four']))
    expect(reader.find(['one'])).toEqual(vectorsOf(['one']))
    writer.add(readAll(['five', 'six']))
    expect(reader.find(['one', 'five', 'six'])).toEqual([undefined, ...vectorsOf(['five', 'six'])])
    expect(writer.find(['four', 'six'])).toEqual([undefined, read('six').vector])
  })

  test('is no error where it cannot be kept, or is no file', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'readings', 'a.bin'), { recursive: true })
    writeFileSync(join(folder, 'file'), '')
    for (const file of ['readings/a.bin', 'file/a.bin', 'nothing\0']) {
      const cache = cacheIn(folder, { file: join(folder, file) })
      cache.add(readAll(['one']))
      expect(cache.find(['one', 'two'])).toEqual([undefined, undefined])
    }
  })
})
