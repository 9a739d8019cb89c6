import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesOf } from '../../src/vectors/kernels/web-assembly.ts'
import { readWeights } from '../../src/vectors/weight-file.ts'
import { folderWith } from '../catalog/temporary-folder.ts'

test('a file of weights is read once as long as it is the same', async () => {
  const file = join(folderWith({ 'weights.bin': 'first' }), 'weights.bin')
  const [one, again] = [await readWeights(file), await readWeights(file)]
  expect(Buffer.from(bytesOf(one)).toString()).toBe('first')
  expect(again.memory).toBe(one.memory)
  writeFileSync(file, 'other')
  utimesSync(file, 1, 1)
  const changed = await readWeights(file)
  expect(Buffer.from(bytesOf(changed)).toString()).toBe('other')
  expect(Buffer.from(bytesOf(one)).toString()).toBe('first')
})

test('one that is not there is said to be missing', async () => {
  await expect(readWeights(join(folderWith({}), 'weights.bin'))).rejects.toThrow('ENOENT')
})
