import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gateReport } from '../../evals/golden/gate-report.ts'
import { type GoldenRun, heldAgainst } from '../../evals/golden/golden-run.ts'
import { goldenRuns, isPresent, runOf } from '../../evals/golden/golden-runs.ts'

const root = join(import.meta.dirname, '..', '..')

/** A minute's work on a busy machine; nothing waits for it. */
const timeout = 300_000

describe('no figure falls below its golden run by more than the interval', () => {
  for (const golden of goldenRuns(root)) {
    const present = isPresent(golden)
    test.skipIf(!present)(
      `${golden.name}${present ? '' : ' (skipped: data not present)'}`,
      async () => {
        const file = join(root, 'evals', 'golden', `${golden.name}.json`)
        expect(existsSync(file), `${file} is missing. Run: npm run golden`).toBe(true)
        const committed = JSON.parse(readFileSync(file, 'utf8')) as GoldenRun
        const run = await runOf(golden)
        const rows = heldAgainst(committed, run)
        const report = gateReport(committed, run, rows)
        console.info(report)
        expect(
          rows.filter(({ fell }) => fell !== 'no'),
          `${report}\nMend the loss. If it is wanted, run npm run golden and say why in the commit.`,
        ).toEqual([])
      },
      timeout,
    )
  }
})
