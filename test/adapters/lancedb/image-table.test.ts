import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection, Table } from '@lancedb/lancedb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTo } from '../../../src/adapters/lancedb/connection.ts'
import { readImage, writeImage } from '../../../src/adapters/lancedb/vectors.ts'
import { imageSchema } from '../../../src/adapters/lancedb/schemas.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-images-'))
let connection: Connection
let table: Table
beforeAll(async () => {
  connection = await connectTo(folder)
  table = await connection.createEmptyTable('images', imageSchema)
})
afterAll(() => {
  connection.close()
  rmSync(folder, { recursive: true })
})

const room = (size: number) => ({ bytes: new Uint8Array(size) })
const megabyte = 1 << 20

/** Bytes that differ from place to place, so that none can stand for another. */
function imageOf(size: number, seed: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(size / 4))
  for (let at = 0; at < words.length; at++) words[at] = Math.imul(at + seed, 2654435761)
  return new Uint8Array(words.buffer, 0, size)
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a !== undefined && Buffer.compare(a, b) === 0

describe('search images', () => {
  test.each([1, megabyte - 1, megabyte, megabyte + 1, 3 * megabyte + 77])(
    'are read as they were written: %i bytes',
    async (size) => {
      const [tools, agents] = [imageOf(size, 1), imageOf(5, 2)]
      await writeImage(table, 'agent', agents)
      await writeImage(table, 'tool', imageOf(2 * megabyte, 3))
      await writeImage(table, 'tool', tools)
      expect(isSame((await readImage(table, 'tool', room))?.bytes, tools)).toBe(true)
      expect(isSame((await readImage(table, 'agent', room))?.bytes, agents)).toBe(true)
      expect(await table.countRows()).toBe(Math.ceil(size / megabyte) + 1)
    },
  )

  test.each([0, 1, 2])('are none when a part is missing: the one at %i MiB', async (part) => {
    await writeImage(table, 'tool', imageOf(2 * megabyte + 5, 1))
    await table.delete(`kind LIKE 'tool ${part * megabyte}/%'`)
    expect(await readImage(table, 'tool', room)).toBeNull()
  })

  test('are none when never written', async () => {
    const empty = await connection.createEmptyTable('none', imageSchema)
    expect(await readImage(empty, 'tool', room)).toBeNull()
  })
})
