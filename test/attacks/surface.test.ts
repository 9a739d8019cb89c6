import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CompiledPackage, compiledPackage } from '../fixtures/compiled-package.ts'
import { runSurface } from './surface/run-surface.ts'
import { surfaceFloors, surfaceSeed } from './surface/surface.ts'

let audition: CompiledPackage
let folder: string
beforeAll(async () => {
  audition = await compiledPackage()
  folder = mkdtempSync(join(tmpdir(), 'audition-surface-'))
}, 180_000)
afterAll(async () => {
  await audition.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('nothing that a caller can send breaks the server or makes it tell too much', async () => {
  const messages = 500
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
}, 120_000)
