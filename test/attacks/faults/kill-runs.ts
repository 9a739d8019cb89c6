import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Trial } from './kill-trials.ts'
import { runProgram } from './run-program.ts'

/** What came of the trials of one kind. */
export type KillRuns = {
  readonly name: string
  readonly trials: number
  /** Trials in which the process was killed; in the others it had ended before. */
  readonly killed: number
  /** What was found wrong, each with its turn. */
  readonly faults: readonly string[]
  /** How long the command takes when it is left alone, in milliseconds. */
  readonly usualMs: number
}

/** Beyond the end of the usual run, so that its last instants are met too. */
const beyond = 1.05
/** Some processes end before they are killed. */
const mostTurnsPerKill = 2

/**
 * Runs one kind of trial: the command is killed at instants spread at random over all of its run, its start included.
 *
 * @param kills - how many processes are killed, if so many live long enough
 * @param random - numbers from 0 up to 1
 */
export async function killRuns(
  trial: Trial,
  kills: number,
  {
    program,
    folder,
    random,
  }: { readonly program: string; readonly folder: string; readonly random: () => number },
): Promise<KillRuns> {
  mkdirSync(folder, { recursive: true })
  const place = { program, folder: join(folder, 'place') }
  mkdirSync(place.folder)
  await trial.prepare(place)
  const whole = await runProgram(await trial.call(place, 1))
  const faults = (await trial.check(place, 1, whole)).map((fault) => `undisturbed: ${fault}`)
  if (whole.code !== 0) faults.push(`undisturbed: ended with ${whole.code}: ${whole.stderr}`)
  let [killed, turn, usualMs] = [0, 1, whole.milliseconds]
  while (killed < kills && turn <= mostTurnsPerKill * kills) {
    turn += 1
    const killAfterMs = random() * usualMs * beyond
    const ended = await runProgram({ ...(await trial.call(place, turn)), killAfterMs })
    if (ended.killed) killed += 1
    // How fast the machine is changes with what else it does.
    else usualMs = (usualMs + ended.milliseconds) / 2
    const found = await trial.check(place, turn, ended)
    faults.push(...found.map((fault) => `turn ${turn}, ${killAfterMs.toFixed(0)} ms: ${fault}`))
  }
  return { name: trial.name, trials: turn - 1, killed, faults, usualMs }
}
