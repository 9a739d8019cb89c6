import type { Environment } from '../domain/environment.ts'
import type { Audition } from '../compose/app.ts'
import type { HostUser } from '../hosts/surroundings.ts'
import type { Terminal } from './terminal.ts'
import { withoutHidden } from '../domain/text/hidden.ts'
import { visibleJsonText } from '../domain/text/printable.ts'

/** How the command line opens Audition; tests open a fake. */
export type OpenAudition = (env: Environment) => Promise<Audition>

/** What a command works with. */
export type Context = {
  readonly terminal: Terminal
  /** Environment variables, with the global flags already in them. */
  readonly env: Environment
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal
  /**
   * Opens Audition at the first call and gives the same one afterwards. It is closed when the command ends.
   *
   * @param defaults - variables for the first call, where the environment says nothing
   */
  audition(defaults?: Environment): Promise<Audition>
  /** Opens Audition over another store; whoever opens it closes it. */
  auditionAt(home: string): Promise<Audition>
  /** Prints lines of the result. */
  print(...lines: readonly string[]): void
  /** Prints a value as JSON on standard output. */
  printJson(value: unknown): void
  /** Prints lines for the person who waits: progress, notes. */
  log(...lines: readonly string[]): void
}

/** Whose hosts a command looks at. */
export const hostUser = ({ terminal: { home, platform }, env }: Context): HostUser => ({
  home,
  platform,
  env,
})

/** The context of one call, and what ends it. */
export function openContext(
  { terminal, env, signal }: Pick<Context, 'terminal' | 'env' | 'signal'>,
  openAudition: OpenAudition,
): { readonly context: Context; close(): Promise<void> } {
  let opened: Promise<Audition> | undefined
  const write = (output: { write(text: string): void }, lines: readonly string[]) => {
    if (lines.length > 0) output.write(`${withoutHidden(lines.join('\n'))}\n`)
  }
  return {
    context: {
      terminal,
      env,
      signal,
      audition: (defaults = {}) => {
        const said = Object.entries(env).filter(([, value]) => value !== '')
        opened ??= openAudition({ ...defaults, ...Object.fromEntries(said) })
        return opened
      },
      auditionAt: (home) => openAudition({ ...env, AUDITION_HOME: home }),
      print: (...lines) => write(terminal.stdout, lines),
      printJson: (value) => write(terminal.stdout, [visibleJsonText(value, 2)]),
      log: (...lines) => write(terminal.stderr, lines),
    },
    close: async () => {
      const audition = await opened?.catch(() => undefined)
      await audition?.close()
    },
  }
}
