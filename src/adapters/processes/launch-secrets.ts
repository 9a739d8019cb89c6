import { isSecretName, maskSecrets } from '../../domain/text/secrets.ts'

/** Values of a launch that must not reach any text of ours. */
export type KnownValues = {
  /** For error messages and logs: every value that could be secret. */
  readonly inErrors: readonly string[]
  /** For answers: values that are secret by name or shape, so that settings such as a city stay readable, and all that were filled in. */
  readonly inAnswers: readonly string[]
  /** For cards, which quote the publisher: only values that are secret by their name or place, or were filled in. */
  readonly inCards: readonly string[]
}

type Named = readonly (readonly [name: string, value: string])[]

/** Shorter ones are left in cards: they would be masked by chance. */
const shortestInCards = 8

/**
 * What a launch holds literally.
 *
 * @param named - its environment, headers, flags and their like
 * @param substituted - variables that were filled in, by name
 */
export function knownValues(named: Named, substituted: Named): KnownValues {
  const secretsOf = (values: Named) => values.filter(([name]) => isSecretName(name)).map(([, value]) => value)
  const all = [...named, ...substituted].map(([, value]) => value)
  const secrets = secretsOf(named)
  const others = all.filter((value) => !isPlain(value))
  // A variable is filled in since its value is not for the file that names it, whatever it is called.
  const filled = substituted.flatMap(([name, value]) => (isOfMachine(name) ? [] : [value]))
  const spokenSecrets = [...secrets, ...filled].filter(
    (value) => value.length >= shortestInCards || !isPlain(value),
  )
  return {
    inErrors: [...new Set([...secrets, ...spokenSecrets, ...others])],
    inAnswers: [...new Set([...spokenSecrets, ...others.filter((value) => maskSecrets(value) !== value)])],
    inCards: [...new Set([...secrets, ...filled])].filter((value) => value.length >= shortestInCards),
  }
}

/** What every process is told of the machine: nobody's secret, and part of half of all paths. */
const isOfMachine = (name: string): boolean =>
  /^(?:HOME|USERPROFILE|USER|USERNAME|LOGNAME|PWD|PATH|SHELL|LANG|LC_[A-Z]+|TZ|TERM|TMPDIR|TEMP|TMP|HOSTNAME|APPDATA|LOCALAPPDATA)$/.test(
    name,
  )

/** Environment and flags of a command, by name. */
export const commandValues = (launch: {
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
}): Named => [...Object.entries(launch.env), ...flagValues(launch.args)]

const flagValues = (args: readonly string[]): [string, string][] =>
  args.flatMap((arg, index): [string, string][] => {
    const joined = /^--?([\w-]+)=([\s\S]+)$/.exec(arg)
    if (joined) return [[joined[1]!, joined[2]!]]
    const before = /^--?([A-Za-z][\w-]*)$/.exec(args[index - 1] ?? '')?.[1]
    return before === undefined || !isSecretName(before) || arg.startsWith('-') ? [] : [[before, arg]]
  })

/** A word, a small number or a path: settings, which are worth reading in a report. */
const isPlain = (value: string): boolean =>
  /^(?:[a-z]{1,12}|[A-Z][a-z]{0,11}|[A-Z]{1,8}|[\d.:]{1,8})$/.test(value) ||
  /^(?:~|\.{0,2}[\\/]|[A-Za-z]:[\\/])/.test(value) ||
  /^application\/|^text\/|^\*\/\*$/.test(value)
