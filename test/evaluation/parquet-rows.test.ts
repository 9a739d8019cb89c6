import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DatasetError } from '../../src/evaluation/datasets/dataset.ts'
import { readParquetRows } from '../../src/evaluation/datasets/files.ts'
import { kiteTables } from '../fixtures/kite-tables.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { writeParquet } from '../fixtures/write-parquet.ts'

const made = '2026-01-02T03:04:05.000Z'
const rows = [
  { id: 'kite_query_0', count: 1, share: 0.5, kind: 'single', names: ['tail', 'string'], made, open: true },
  { id: 'kite_query_1', count: 2, share: 1, kind: 'single', names: [], made, open: false },
  { id: 'kite_query_2', count: null, share: 0.25, kind: 'multi', names: null, made, open: null },
]

describe('a parquet file', () => {
  test.each(Object.entries(kiteTables))(
    'compressed with %s is read as JSON would write it',
    async (_, base64) => {
      const path = join(temporaryFolder(), 'kites.parquet')
      writeFileSync(path, Buffer.from(base64, 'base64'))
      expect(await readParquetRows(path)).toEqual(rows)
    },
  )

  test('that our own fixture writes is read back', async () => {
    const path = join(temporaryFolder(), 'own.parquet')
    const long = 'x'.repeat(70_000)
    const written = Array.from({ length: 40 }, (_, index) => ({
      id: `a${index}`,
      text: index === 3 ? long : 'ü 漢',
    }))
    writeParquet(path, written)
    expect(await readParquetRows(path)).toEqual(written)
  })

  test.each([
    { why: 'is cut short', bytes: Buffer.from(kiteTables.snappy, 'base64').subarray(0, 900) },
    { why: 'is a page of HTML', bytes: Buffer.from('<html>Not found</html>') },
    { why: 'is empty', bytes: Buffer.alloc(0) },
    {
      why: 'has damaged pages',
      bytes: Buffer.from(kiteTables.zstd, 'base64').fill(0xff, 20, 60),
    },
  ])('that $why is refused by name', async ({ bytes }) => {
    const path = join(temporaryFolder(), 'bad.parquet')
    writeFileSync(path, bytes)
    const reading = readParquetRows(path)
    await expect(reading).rejects.toThrow(DatasetError)
    await expect(reading).rejects.toThrow('bad.parquet')
  })

  test('that is not there is refused by name', async () => {
    await expect(readParquetRows(join(temporaryFolder(), 'absent.parquet'))).rejects.toThrow('absent.parquet')
  })
})
