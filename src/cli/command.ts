import type { CommandOptions, Flags } from './command-options.ts'
import type { Context } from './context.ts'
import type { ExitCode } from './exit-code.ts'

/** A positional argument, as commander writes it: `<id>`, `[source...]`. */
type Argument = { readonly syntax: string; readonly description: string }

/** A call worth copying, and what it does. */
type Example = { readonly line: string; readonly does: string }

/** A command as the program is built from it. {@link defineCommand} makes it. */
export type Command = {
  /** What `--help` says above the options. */
  readonly description: string
  readonly arguments: readonly Argument[]
  readonly options: CommandOptions
  readonly examples: readonly Example[]
  readonly subcommands: readonly Subcommand[]
  run(words: readonly string[], collected: CollectedOptions, context: Context): Promise<ExitCode>
}

type Subcommand = { readonly name: string; readonly summary: string; readonly command: Command }

/** Option values as the parser left them, by name. */
type CollectedOptions = { readonly [name: string]: unknown }

/** How a command is written down: the same, with the flags typed after its options. */
type CommandDefinition<Options extends CommandOptions> = {
  readonly description: string
  readonly arguments?: readonly Argument[]
  readonly options: Options
  readonly examples: readonly Example[]
  readonly subcommands?: readonly Subcommand[]
  /**
   * @param call - the positional arguments in order, and the flags
   * @throws UsageError when the call makes no sense; any other error is a failure with its message for people
   */
  run(
    call: { readonly words: readonly string[]; readonly flags: Flags<Options> },
    context: Context,
  ): Promise<ExitCode>
}

/** Makes a command of its definition. */
export function defineCommand<Options extends CommandOptions>(
  definition: CommandDefinition<Options>,
): Command {
  const { description, options, examples } = definition
  return {
    description,
    arguments: definition.arguments ?? [],
    options,
    examples,
    subcommands: definition.subcommands ?? [],
    run: (words, collected, context) =>
      definition.run({ words, flags: readFlags(options, collected) }, context),
  }
}

const readFlags = <Options extends CommandOptions>(
  options: Options,
  collected: CollectedOptions,
): Flags<Options> =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, option.read(collected[name])]),
  ) as Flags<Options>
