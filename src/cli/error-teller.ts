import { CommanderError } from 'commander'
import { RemedyError } from '../domain/remedy-error.ts'
import { visibleJsonText } from '../domain/text/printable.ts'
import { explainError, faultOf } from './errors.ts'
import type { Terminal } from './terminal.ts'

/** The terminal of one command line, and what tells its error: to people, and as JSON where the line asks for it. */
export function errorTeller(
  argv: readonly string[],
  terminal: Terminal,
): { readonly terminal: Terminal; tell(error: unknown): void } {
  const { stdout, stderr, env } = terminal
  let hasResult = false
  const write = (text: string): void => {
    hasResult = true
    stdout.write(text)
  }
  return {
    terminal: { ...terminal, stdout: { ...stdout, write } },
    tell(error) {
      // One line prints one value as JSON.
      if (asksJson(argv) && !hasResult) stdout.write(`${visibleJsonText(faultOf(unmarked(error)), 2)}\n`)
      if (error instanceof CommanderError) return // the parser told it to people
      const [first = '', ...rest] = explainError(error, isSet(env.AUDITION_DEBUG))
      const coloured = first.replace(/^error:/u, stderr.paint.red('error:'))
      stderr.write(`${[coloured, ...rest].join('\n')}\n`)
    },
  }
}

/** Whether a line asks for JSON, which holds even where the line cannot be parsed. */
function asksJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const words = argv.slice(0, end < 0 ? argv.length : end)
  return (
    words.includes('--json') ||
    words.includes('--format=json') ||
    words.some((word, at) => word === '--format' && words[at + 1] === 'json')
  )
}

/** What the parser says, without the mark that its lines bear. */
function unmarked(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error
  const message =
    error.code === 'commander.help' ? 'there is no such command.' : error.message.replace(/^error: /u, '')
  return new RemedyError(message, 'Run the command with --help to see what it takes.')
}

const isSet = (variable: string | undefined): boolean =>
  variable !== undefined && variable !== '' && variable !== '0'
