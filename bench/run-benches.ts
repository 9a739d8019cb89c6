import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readArguments, usageOf } from './arguments.ts'
import type { Bench, Findings, Floor } from './bench.ts'
import { root } from './built-program.ts'
import { loadNow, machine } from './machine.ts'
import { findingsLines, floorLines, machineLines } from './render.ts'
import { openWorkplace } from './workplace.ts'

const print = (lines: readonly string[]): void => console.log(lines.join('\n'))
const log = (message: string): void => console.error(`  ${message}`)

/** A set of benches that one command runs. */
export type BenchSet = {
  /** As `npm run` names it. */
  readonly command: string
  readonly title: string
  readonly benches: readonly Bench[]
}

/** Runs those of a set that the command line asks for; the exit code says how it went. */
export function runBenches(set: BenchSet): void {
  run(set).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  })
}

/** Tables to stdout as they come, progress to stderr. */
async function run(set: BenchSet): Promise<void> {
  const { chosen, data, json, quick, cards, state, check, help } = readArguments(process.argv.slice(2), set)
  if (help) return print([usageOf(set)])
  const folder = resolve(data ?? join(root, '..', 'shared', 'data', 'toolret'))
  const present = existsSync(folder) ? folder : null
  if (present === null && data !== undefined) throw new Error(`${folder} does not exist. Check --data.`)
  const facts = machine(new Date())
  print([`# ${set.title}${quick ? ', quick' : ''}`, '', ...machineLines(facts)])
  if (present === null) print([`- skipped: data not present (${folder}); corpora are synthetic`, ''])
  const workplace = openWorkplace({
    data: present,
    quick,
    cards,
    log,
    state: state === null ? null : resolve(state),
  })
  process.once('SIGINT', () => process.exit(130))
  process.once('exit', () => workplace.remove())
  const results: ({ readonly name: string; readonly load: readonly number[] } & Findings)[] = []
  for (const { name, question, run } of chosen) {
    const findings = await run(workplace)
    const load = loadNow()
    print(
      findingsLines(question, {
        ...findings,
        notes: [...findings.notes, `Load average at the end: ${load.join(', ')}.`],
      }),
    )
    results.push({ name, load, ...findings })
  }
  const floors: readonly Floor[] = results.flatMap((result) => result.floors)
  print(floorLines(floors))
  if (json !== undefined)
    writeFileSync(json, `${JSON.stringify({ machine: facts, quick, results }, null, 2)}\n`)
  if (check && floors.some(({ outcome }) => outcome === 'missed')) process.exitCode = 1
}
