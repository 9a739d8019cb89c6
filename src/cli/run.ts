import { CommanderError } from 'commander'
import { writingTo } from '../evaluation/runs/writable.ts'
import { type OpenAudition, openContext } from './context.ts'
import { type ExitCode, exitCodes, explainError, UsageError } from './errors.ts'
import { parseCall } from './program.ts'
import type { Terminal } from './terminal.ts'

/** What one command line runs in. */
export type Surroundings = {
  readonly terminal: Terminal
  readonly openAudition: OpenAudition
  /** Aborted when the person presses Ctrl-C. */
  readonly signal: AbortSignal
}

/**
 * Runs one command line: parses, calls the command, renders errors.
 *
 * @param argv - the words after `audition`
 * @returns the exit code; never throws
 */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, signal } = surroundings
  const explain = (error: unknown): void => {
    const [first = '', ...rest] = explainError(error, isSet(terminal.env.AUDITION_DEBUG))
    const coloured = first.replace(/^error:/u, terminal.stderr.paint.red('error:'))
    terminal.stderr.write(`${[coloured, ...rest].join('\n')}\n`)
  }
  try {
    const code = await called(argv, surroundings)
    await writingTo('standard output', () => terminal.stdout.written())
    return code
  } catch (error) {
    if (signal.aborted) {
      terminal.stderr.write('Stopped.\n')
      return exitCodes.interrupted
    }
    explain(error)
    return error instanceof UsageError ? exitCodes.wrongUsage : exitCodes.failed
  }
}

/** Parses one command line and calls its command. */
async function called(
  argv: readonly string[],
  { terminal, openAudition, signal }: Surroundings,
): Promise<ExitCode> {
  const parsed = await parseCall(argv, terminal).catch((error: unknown) => {
    if (error instanceof CommanderError) return error
    throw error
  })
  if (parsed instanceof CommanderError) return parsed.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage
  const { call, globals } = parsed
  if (call === null) return exitCodes.done
  const env = globals.home === undefined ? terminal.env : { ...terminal.env, AUDITION_HOME: globals.home }
  const { context, close } = openContext({ terminal, env, signal }, openAudition)
  try {
    return await call.command.run(call.words, call.collected, context)
  } finally {
    await close()
  }
}

const isSet = (variable: string | undefined): boolean =>
  variable !== undefined && variable !== '' && variable !== '0'
