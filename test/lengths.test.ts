import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '..', 'src')

/** More is two ideas: past this a file is split. */
const mostLines = 400

test(`no file of src is longer than ${mostLines} lines`, () => {
  // Kernels as bytes are written by a program; nobody reads them line by line.
  const files = globSync(['**/*.{ts,tsx,js,css,html}', '!**/*.wasm.ts'], { cwd: source })
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => file.endsWith('.css')).length).toBeGreaterThan(1)
  const linesOf = (file: string) => readFileSync(join(source, file), 'utf8').trimEnd().split('\n').length
  const long = files.map((file) => ({ file, lines: linesOf(file) })).filter(({ lines }) => lines > mostLines)
  expect(long).toEqual([])
})
