import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CompiledPackage, compiledPackage } from '../fixtures/compiled-package.ts'
import { seededRandom } from '../../src/evaluation/statistics/seeded-random.ts'
import { leaksIn } from './surface/leaks.ts'
import { idStep, someMessage, type Target } from './surface/protocol-messages.ts'
import { runSurface } from './surface/run-surface.ts'
import { surfaceFloors, surfaceSeed } from './surface/surface.ts'

let audition: CompiledPackage
let folder: string
beforeAll(async () => {
  audition = await compiledPackage()
  folder = mkdtempSync(join(tmpdir(), 'audition-surface-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  { answer: '{"message":"at run (node:internal/process:1:2)"}', leaks: ['a trace of the program'] },
  {
    answer: String.raw`{"text":"Error: x\n    at open (/srv/app/store.js:10:5)"}`,
    leaks: ['a trace of the program'],
  },
  { answer: 'see store.ts:12:3', leaks: ['a trace of the program'] },
  { answer: '{"text":"/srv/node_modules/x"}', leaks: ['a trace of the program'] },
  { answer: 'root:x:0:0:root:/root:/bin/bash', leaks: ['the content of a file'] },
  { answer: 'ENOENT: open "/var/Store-4711/meta"', leaks: ['the store'] },
  { answer: '{"text":"No card has the id ../../etc/passwd. It is 10:30, at noon."}', leaks: [] },
])('the detector finds $leaks in $answer', ({ answer, leaks }) => {
  expect(leaksIn(answer, { 'the store': 'store-4711' })).toEqual(leaks)
})

test('the same seed gives the same messages, and another one others', () => {
  const target: Target = {
    ids: ['a/b', 'c/d'],
    words: ['list', 'issues'],
    tools: [
      { name: 'search_tools', inputSchema: { type: 'object', properties: { query: { type: 'string' } } } },
    ],
    templates: ['audition://tools/{source}/{key}'],
    bait: ['http://127.0.0.1:1/'],
  }
  const texts = (seed: number) => {
    const random = seededRandom(seed)
    return Array.from({ length: 60 }, (_, at) => someMessage(random, target, '2025-11-25', at * idStep).text)
  }
  const first = texts(1)
  expect(texts(1)).toEqual(first)
  expect(texts(2)).not.toEqual(first)
  expect(new Set(first).size).toBe(60)
})

test('nothing that a caller can send breaks the server or makes it tell too much', async () => {
  const messages = 400
  const tallies = await runSurface({
    main: audition.main,
    folder,
    root: fileURLToPath(new URL('../../', import.meta.url)),
    seed: surfaceSeed,
    messages,
    log: () => {},
  })
  const examples = tallies.flatMap(({ faults }) => [...faults].map(([kind, fault]) => ({ kind, ...fault })))
  expect(examples).toEqual([])
  expect(surfaceFloors(tallies, 2 * messages).filter(({ outcome }) => outcome !== 'ok')).toEqual([])
})
