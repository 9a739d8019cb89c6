import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goldenOf, writeGolden } from './golden-run.ts'
import { goldenRuns, isPresent, runOf } from './golden-runs.ts'

/** `npm run golden`: runs everything that the gate holds up, and commits to what comes out. */
const root = process.cwd()
for (const golden of goldenRuns(root)) {
  if (!isPresent(golden)) {
    process.stdout.write(`${golden.name}: skipped: data not present (${golden.folder})\n`)
    continue
  }
  const written = goldenOf(await runOf(golden), golden.keeps)
  writeFileSync(join(root, 'evals', 'golden', `${golden.name}.json`), writeGolden(written))
  const figures = Object.entries(written.figures.macro ?? {}).map(
    ([measure, { mean, low, high }]) =>
      `${measure} ${(100 * mean).toFixed(1)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`,
  )
  process.stdout.write(`${golden.name}: ${figures.join(', ')}\n`)
}
