import { Command as Program, CommanderError, InvalidArgumentError, Option } from 'commander'
import { writingTo } from '../evaluation/runs/writable.ts'
import { type OpenAudition, openContext } from './context.ts'
import { type ExitCode, exitCodes, exitCodesText, UsageError } from './errors.ts'
import { errorTeller } from './error-teller.ts'
import type { Terminal } from './terminal.ts'
import { packageVersion } from '../package-version.ts'
import type { Command, CommandOption } from './command.ts'
import { commands } from './commands.ts'

/** What one command line runs in. */
export type RunSurroundings = {
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
export async function run(argv: readonly string[], surroundings: RunSurroundings): Promise<ExitCode> {
  const { signal } = surroundings
  const { terminal, tell } = errorTeller(argv, surroundings.terminal)
  try {
    const code = await called(argv, { ...surroundings, terminal })
    await writingTo('standard output', () => terminal.stdout.written())
    return code
  } catch (error) {
    if (signal.aborted) {
      terminal.stderr.write('Stopped.\n')
      return exitCodes.interrupted
    }
    tell(error)
    const isUsage = error instanceof UsageError || error instanceof CommanderError
    return isUsage ? exitCodes.wrongUsage : exitCodes.failed
  }
}

/** Parses one command line and calls its command. */
async function called(
  argv: readonly string[],
  { terminal, openAudition, signal }: RunSurroundings,
): Promise<ExitCode> {
  const parsed = await parseCall(argv, terminal).catch((error: unknown) => {
    if (error instanceof CommanderError) return error
    throw error
  })
  if (parsed instanceof CommanderError) {
    if (parsed.exitCode === 0) return exitCodes.done
    throw parsed
  }
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

/** A command that was called, with what stood after its name. */
type Call = {
  readonly command: Command
  readonly words: readonly string[]
  readonly collected: { readonly [name: string]: unknown }
}

type GlobalFlags = { readonly home?: string }

/**
 * Parses a command line. Only the file of the command that is named gets loaded.
 *
 * @returns the call, or null when help or the version was asked for and printed
 * @throws CommanderError when the line is wrong (already explained on standard error) or help was printed
 */
async function parseCall(
  argv: readonly string[],
  terminal: Terminal,
): Promise<{ readonly call: Call | null; readonly globals: GlobalFlags }> {
  const named = namesIn(argv)
  const entry = commands.find(
    ({ name, alias }) => named.includes(name) || (alias !== undefined && named.includes(alias)),
  )
  const loaded = entry === undefined ? undefined : { entry, command: (await entry.load()).command }

  let call: Call | null = null
  const program = rootProgram(terminal)
  for (const one of commands) {
    const sub = program.command(one.name).summary(one.summary)
    if (one.alias !== undefined) sub.alias(one.alias)
    if (one === loaded?.entry) addCommand(sub, loaded.command, (made) => (call = made))
  }
  if (named.length === 0) program.action(() => program.outputHelp())
  await program.parseAsync([...argv], { from: 'user' })
  const { home } = program.opts<{ home?: string }>()
  return { call, globals: home === undefined ? {} : { home } }
}

/** The first words of the line that are not global flags: the command, or `help` and the command. */
function namesIn(argv: readonly string[]): readonly string[] {
  const scout = globalOptions(new Program())
    .exitOverride()
    .configureOutput({ outputError: () => {} })
  try {
    const { operands } = scout.parseOptions([...argv])
    return operands[0] === 'help' ? operands.slice(0, 2) : operands.slice(0, 1)
  } catch (error) {
    if (error instanceof CommanderError) return [] // the whole program explains it
    throw error
  }
}

const globalOptions = (program: Program): Program =>
  program
    .option('--home <folder>', 'where Audition keeps its store (default: AUDITION_HOME, or your data folder)')
    .option('--no-color', 'plain text (NO_COLOR does the same)')

function rootProgram(terminal: Terminal): Program {
  const { stdout, stderr } = terminal
  const program: Program = globalOptions(new Program('audition'))
    .description('Finds the agent or tool for a job, over everything you have installed.')
    .usage('<command> [options]')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: (command) => (command.parent === null ? [] : [...program.options]),
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => helpWidth(stdout.columns),
      getErrHelpWidth: () => helpWidth(stderr.columns),
      getOutHasColors: () => stdout.paint.isColorSupported,
      getErrHasColors: () => stderr.paint.isColorSupported,
      outputError: (text, write) => write(text.replace(/^error:/u, stderr.paint.red('error:'))),
    })
    .showHelpAfterError('Run `audition --help` for the commands.')
  return program.addHelpText('after', ['', firstSteps, '', environment, '', exitCodesText].join('\n'))
}

/** Help reads best below a hundred columns. */
const helpWidth = (columns: number | null): number => Math.min(columns ?? 100, 100)

const firstSteps = `First steps:
  $ audition index                               index what you have installed
  $ audition search "summarise a pdf contract"   find tools and agents for a task
  $ audition init claude-code                    let your host search by itself`

const environment = `Environment:
  AUDITION_HOME      folder or address of the store
  AUDITION_MODEL     model in place of the built-in one: transformers:<folder>, static:<folder>, none
  AUDITION_READER    none: rank without reading cards; AUDITION_READER_CARDS is how many are read
  AUDITION_LLM       language model that judges probes and writes tasks, where you ask for it; or several
  AUDITION_SETTINGS  file that says what may be started, and limits; see \`audition allow\`
  AUDITION_TOKEN     what callers of \`audition serve --http\` must send
  AUDITION_DEBUG     1 shows where an error came from`

function addCommand(program: Program, command: Command, onCall: (call: Call) => void): void {
  const path = commandPath(program)
  program
    .description(command.description)
    .showHelpAfterError(`Run \`${path} --help\` for its options.`)
    .action(() => {
      // A command that has the same flag as its subcommand takes it first.
      const collected: { readonly [name: string]: unknown } = program.optsWithGlobals()
      onCall({ command, words: program.args, collected })
    })
  for (const { syntax, description } of command.arguments) program.argument(syntax, description)
  for (const [name, option] of Object.entries(command.options)) program.addOption(optionOf(name, option))
  if (command.examples.length > 0) program.addHelpText('after', examplesText(command))
  for (const { name, summary, command: sub } of command.subcommands) {
    addCommand(program.command(name).summary(summary), sub, onCall)
  }
}

function commandPath(program: Program): string {
  const names: string[] = []
  for (let at: Program | null = program; at !== null; at = at.parent) names.unshift(at.name())
  return names.join(' ')
}

function optionOf(name: string, spec: CommandOption<unknown>): Option {
  const option = new Option(spec.flags, spec.description)
  if (option.attributeName() !== name) {
    throw new Error(
      `${spec.flags}: commander names it "${option.attributeName()}", not "${name}". Rename it.`,
    )
  }
  if (spec.choices !== undefined) option.choices([...spec.choices])
  if (spec.isUnlisted === true) option.hideHelp()
  const check = option.parseArg ?? ((given: string) => parsed(spec, given))
  if (!option.required && !option.optional) return option
  return option.argParser((given, before: unknown) => {
    const value = check(given, undefined)
    return spec.repeatable === true ? [...(Array.isArray(before) ? before : []), value] : value
  })
}

function parsed(spec: CommandOption<unknown>, given: string): unknown {
  try {
    return spec.parse === undefined ? given : spec.parse(given)
  } catch (error) {
    throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error
  }
}

const examplesText = ({ examples }: Command): string => {
  const width = Math.max(...examples.map(({ line }) => line.length))
  return ['', 'Examples:', ...examples.map(({ line, does }) => `  $ ${line.padEnd(width)}   ${does}`)].join(
    '\n',
  )
}
