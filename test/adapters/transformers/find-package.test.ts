import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { transformersUrl } from '../../../src/adapters/transformers/open-thread.ts'

let root: string
const install = async (where: string, version: string) => {
  const folder = join(root, where, 'node_modules/@huggingface/transformers')
  await mkdir(folder, { recursive: true })
  const exports = { node: { import: { default: './dist/transformers.node.mjs' } } }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ version, exports }))
  return pathToFileURL(join(folder, 'dist/transformers.node.mjs')).href
}
const found = () =>
  transformersUrl(
    pathToFileURL(join(root, 'lib/node_modules/audition-mcp/dist/adapters/transformers/x.js')).href,
  )

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'audition-package-'))
})
afterEach(() => rm(root, { recursive: true }))

test('the package that this project tests with is found', () => {
  const url = transformersUrl(import.meta.url)
  expect(existsSync(fileURLToPath(url))).toBe(true)
})

test('a package beside Audition is found', async () => {
  const beside = await install('lib', '4.3.1')
  expect(found()).toBe(beside)
})

test('the nearest of several is taken', async () => {
  await install('lib', '4.3.1')
  const nearest = await install('lib/node_modules/audition-mcp', '4.9.0')
  expect(found()).toBe(nearest)
})

test('another version that a dependency brought along does not hide the right one', async () => {
  await install('lib/node_modules/audition-mcp', '3.0.2')
  const right = await install('lib', '4.3.1')
  expect(found()).toBe(right)
})

test('without the package the error has the one line to run', () => {
  expect(found).toThrow('The package @huggingface/transformers 4 is not installed; models of kind')
  expect(found).toThrow(
    expect.objectContaining({
      name: 'EmbeddingModelError',
      remedy: expect.stringContaining('npm install @huggingface/transformers@4'),
    }),
  )
})

test('with another version alone the error says which and where', async () => {
  await install('lib/node_modules/audition-mcp', '3.0.2')
  const where = join(root, 'lib/node_modules/audition-mcp/node_modules')
  expect(found).toThrow(`is not installed (only 3.0.2 in ${where}, brought along by another package)`)
})
