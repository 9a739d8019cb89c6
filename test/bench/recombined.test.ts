import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCorpus } from '../../bench/corpus.ts'
import { changeSome, writeRecombined } from '../../bench/million/recombined.ts'
import { syntheticTools } from '../../bench/synthetic.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recombined-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const real = syntheticTools(300)

test('tools that are made of real ones are as many as wanted, the same every time, and read as cards', () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')]
  writeRecombined(one, real, 4100)
  writeRecombined(other, real, 4100)
  const cards = readCorpus(one)
  const read = (path: string) => readFileSync(join(path, 'made-0001', 'tools.jsonl'), 'utf8')
  expect(read(other)).toBe(read(one))
  expect(new Set(cards.map(({ id }) => id)).size).toBe(4100)
  expect(new Set(cards.map(({ description }) => description)).size).toBeGreaterThan(4000)
  expect(cards.every(({ name, description }) => name !== '' && description !== '')).toBe(true)
})

test('as many descriptions change as are asked for, and no other line', () => {
  writeRecombined(folder, real, 4100)
  const linesOf = (set: string) => readFileSync(join(folder, set, 'tools.jsonl'), 'utf8').split('\n')
  const sets = ['made-0000', 'made-0001', 'made-0002']
  const before = sets.map(linesOf)
  changeSome(folder, 250)
  const differing = sets.map((set, at) => linesOf(set).filter((line, place) => line !== before[at]![place]))
  expect(differing.map(({ length }) => length)).toEqual([200, 50, 0])
})
