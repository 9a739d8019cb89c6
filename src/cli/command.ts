import type { Context } from './context.ts'
import { type ExitCode, UsageError } from './errors.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { Budget } from '../probing/budget.ts'
import { defined } from '../domain/defined.ts'
import type { Task } from '../probing/ports.ts'

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
    run(words, collected, context) {
      const flags = Object.entries(options).map(([name, option]) => [name, option.read(collected[name])])
      return definition.run({ words, flags: Object.fromEntries(flags) as Flags<Options> }, context)
    },
  }
}

/** One option of a command: how it is written, and how its value is read. */
export type CommandOption<Value> = {
  /** As commander writes it, for example `-k <count>`. */
  readonly flags: string
  readonly description: string
  readonly choices?: readonly string[]
  readonly repeatable?: boolean
  /** Taken, and not told in the help: what is gone, or has no effect and is written out of habit. */
  readonly isUnlisted?: boolean
  /** Checks one value as typed. @throws UsageError saying what is expected */
  parse?(text: string): unknown
  /** From what was collected, undefined when the option was not given. */
  read(collected: unknown): Value
}

/** The options of a command by the name under which it reads them. */
export type CommandOptions = { readonly [name: string]: CommandOption<unknown> }

/** The values of a command's options. */
export type Flags<Options extends CommandOptions> = {
  readonly [Name in keyof Options]: Options[Name] extends CommandOption<infer Value> ? Value : never
}

/** Given or not. */
export const flag = (flags: string, description: string): CommandOption<boolean> => ({
  flags,
  description,
  read: (collected) => collected === true,
})

/** `--no-…`: true unless given. Its name is the one without `no`. */
export const unless = (flags: string, description: string): CommandOption<boolean> => ({
  flags,
  description,
  read: (collected) => collected !== false,
})

/** A text, once. */
export const text = (flags: string, description: string): CommandOption<string | undefined> => ({
  flags,
  description,
  parse: notEmpty,
  read: (collected) => (typeof collected === 'string' ? collected : undefined),
})

/** A text, given bare (then it is empty), or not given. */
export const textOr = (flags: string, description: string): CommandOption<string | undefined> => {
  const withText = text(flags, description)
  return { ...withText, read: (collected) => (collected === true ? '' : withText.read(collected)) }
}

/** The same option, which the help does not tell. */
export const unlisted = <Value>(option: CommandOption<Value>): CommandOption<Value> => ({
  ...option,
  isUnlisted: true,
})

/** A text that may be given more than once. */
export const texts = (flags: string, description: string): CommandOption<readonly string[]> => ({
  flags,
  description: `${description} (may be repeated)`,
  repeatable: true,
  parse: notEmpty,
  read: (collected) => (Array.isArray(collected) ? collected.map(String) : []),
})

type Bounds = readonly [least: number, most: number]

const within =
  (what: string, [least, most]: Bounds, fits: (value: number) => boolean) =>
  (given: string): number => {
    const value = Number(given)
    if (given.trim() !== '' && value >= least && value <= most && fits(value)) return value
    throw new UsageError(`Give ${what} from ${least} to ${most}.`)
  }

/** A number between two bounds, both allowed. */
export const number = (
  flags: string,
  description: string,
  bounds: Bounds,
): CommandOption<number | undefined> => ({
  flags,
  description,
  parse: within('a number', bounds, () => true),
  read: (collected) => (typeof collected === 'number' ? collected : undefined),
})

/** The same of whole numbers. */
export const whole = (flags: string, description: string, bounds: Bounds): ReturnType<typeof number> => ({
  ...number(flags, description, bounds),
  parse: within('a whole number', bounds, Number.isInteger),
})

/** A port, given bare (then `usual` is meant), or not given. */
export const portOr = (flags: string, description: string, usual: number): ReturnType<typeof number> => {
  const port = whole(flags, description, [0, 65_535])
  return { ...port, read: (collected) => (collected === true ? usual : port.read(collected)) }
}

/** One of a few words. */
export const choice = <Word extends string>(
  flags: string,
  description: string,
  choices: readonly Word[],
): CommandOption<Word | undefined> => ({
  flags,
  description,
  choices,
  read: (collected) => choices.find((word) => word === collected),
})

/** Several of a few words. */
export const choicesOf = <Word extends string>(
  flags: string,
  description: string,
  choices: readonly Word[],
): CommandOption<readonly Word[]> => ({
  flags,
  description: `${description} (may be repeated)`,
  choices,
  repeatable: true,
  read: (collected) => choices.filter((word) => Array.isArray(collected) && collected.includes(word)),
})

function notEmpty(given: string): string {
  if (given.trim() === '') throw new UsageError('Give a text that is not empty.')
  return given
}

/** What bounds runs: each by itself, and all together. `like` is an example of amounts. */
export const limitsOf = (like: string, condition = '') => ({
  seconds: number('--seconds <seconds>', `${condition}longest time of one run (default: 60)`, [0.1, 3600]),
  budget: text('--budget <amounts>', `${condition}most that all runs may use together, for example ${like}`),
})

/** What follows from {@link limitsOf}. @throws UsageError */
export const limitsIn = ({
  seconds,
  budget,
}: {
  readonly seconds: number | undefined
  readonly budget: string | undefined
}) => ({ limits: defined({ seconds }), budget: budgetOf(budget) })

type AskedWith = {
  readonly arguments?: JsonObject | undefined
  readonly golden?: string | undefined
  /** What a right answer states. */
  readonly expect?: string | undefined
}

/** A task as it is asked on the command line. */
export const taskOf = (text: string, { expect, ...given }: AskedWith): Task =>
  defined({
    text,
    ...given,
    reference: expect === undefined ? undefined : { kind: 'states' as const, text: expect },
  })

const units = { s: 'seconds', tokens: 'tokens', usd: 'cost' } as const

/**
 * Reads `120s,50000tokens,0.50usd`: what all runs together may use; any part may be left out.
 *
 * @throws UsageError
 */
export function budgetOf(text: string | undefined): Partial<Budget> {
  if (text === undefined) return {}
  const parts = text.split(',').map((part) => {
    const [, number = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(s|tokens|usd)\s*$/i.exec(part) ?? []
    const value = Number(number)
    const name = units[unit.toLowerCase() as keyof typeof units]
    if (name === undefined || value <= 0 || (name === 'tokens' && !Number.isInteger(value))) {
      throw new UsageError(`--budget takes amounts such as 120s,50000tokens,0.50usd, not "${part.trim()}".`)
    }
    return [name, value] as const
  })
  return Object.fromEntries(parts)
}

/** Reads the arguments of a call. @throws UsageError when the text is no JSON object */
export function argumentsOf(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    // said below
  }
  throw new UsageError(`--arguments takes a JSON object, for example '{"city": "Oslo"}'.`)
}
