import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mulberry32 } from '../../src/domain/random.ts'
import { type CompiledPackage, compiledPackage } from '../fixtures/compiled-package.ts'
import { killRuns } from './faults/kill-runs.ts'
import { killTrials } from './faults/kill-trials.ts'
import { faults } from './faults/one-by-one.ts'

let program: CompiledPackage
const folder = mkdtempSync(join(tmpdir(), 'audition-faults-'))
beforeAll(async () => {
  program = await compiledPackage()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

describe('a command that is killed with kill -9', () => {
  const seed = Date.now() % 2 ** 32

  test.each(killTrials.map(({ trial }) => ({ name: trial.name, trial })))(
    'leaves what was committed, and the next run needs nothing done by hand: $name',
    async ({ trial }) => {
      const place = {
        program: program.main,
        folder: mkdtempSync(join(folder, 'kill-')),
        random: mulberry32(seed),
      }
      const { faults: found, trials } = await killRuns(trial, 1, place)
      expect(found, `seed ${seed}`).toEqual([])
      expect(trials).toBeGreaterThanOrEqual(1)
    },
    120_000,
  )
})

/** The first of each group that takes no longer than a test may; the suite has them all. */
const chosen = [...new Set(faults.map(({ group }) => group))].map(
  (group) => faults.find((fault) => fault.group === group && fault.slow !== true)!,
)

describe('a fault is told clearly, and the product works afterwards', () => {
  test.each(chosen.map((fault) => ({ group: fault.group, name: fault.name, fault })))(
    '$group: $name',
    async ({ fault }) => {
      const report = await fault.run({ program: program.main, folder: mkdtempSync(join(folder, 'fault-')) })
      if (report.kind === 'skipped') return console.log(`skipped: ${report.why}`)
      expect(report.wrong).toEqual([])
    },
    120_000,
  )
})
