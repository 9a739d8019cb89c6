import { UsageError } from './usage-error.ts'

/** One option of a command: how it is written, and how its value is read. */
export type CommandOption<Value> = {
  /** As commander writes it, for example `-k <count>`. */
  readonly flags: string
  readonly description: string
  readonly choices?: readonly string[]
  readonly repeatable?: boolean
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

/** A text that may be given more than once. */
export const texts = (flags: string, description: string): CommandOption<readonly string[]> => ({
  flags,
  description: `${description} (may be repeated)`,
  repeatable: true,
  parse: notEmpty,
  read: (collected) => (Array.isArray(collected) ? collected.map(String) : []),
})

/** The least and the most a number may be. */
type Bounds = { readonly least: number; readonly most: number; readonly whole: boolean }

/** A number between two bounds, both allowed. */
export const number = (
  flags: string,
  description: string,
  bounds: Bounds,
): CommandOption<number | undefined> => ({
  flags,
  description,
  parse: (given) => {
    const value = Number(given)
    const fits = given.trim() !== '' && value >= bounds.least && value <= bounds.most
    if (fits && (!bounds.whole || Number.isInteger(value))) return value
    const article = bounds.whole ? 'a whole number' : 'a number'
    throw new UsageError(`Give ${article} from ${bounds.least} to ${bounds.most}.`)
  },
  read: (collected) => (typeof collected === 'number' ? collected : undefined),
})

/** Given with a number, given bare (then `bare` counts), or not given. */
export const numberOr = (
  flags: string,
  description: string,
  bounds: Bounds & { readonly bare: number },
): CommandOption<number | undefined> => {
  const withNumber = number(flags, description, bounds)
  return {
    ...withNumber,
    read: (collected) => (collected === true ? bounds.bare : withNumber.read(collected)),
  }
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
