import { isSecretName } from '../../domain/secrets.ts'
import { decoded } from './checked-launch.ts'
import type { ExpandedLaunch } from './expand-environment.ts'

/** Values of a launch that must not reach any text of ours. */
export type KnownValues = {
  /** For error messages: every value that could be secret. */
  readonly inErrors: readonly string[]
  /** For cards, which quote the publisher: only values that are secret by their name or place. */
  readonly inCards: readonly string[]
}

/** Shorter ones are left in cards: they would be masked by chance. */
const shortestInCards = 8

/** What an expanded launch holds literally: environment, headers, values of variables, secrets in its address. */
export function knownValues({ launch, substituted }: ExpandedLaunch): KnownValues {
  const named: (readonly [name: string, value: string])[] =
    launch.transport === 'stdio'
      ? [...Object.entries(launch.env), ...flagValues(launch.args)]
      : [...Object.entries(launch.headers), ...addressValues(launch.url)]
  const secrets = named.filter(([name]) => isSecretName(name)).map(([, value]) => value)
  const others = [...named.map(([, value]) => value), ...substituted].filter((value) => !isPlain(value))
  return {
    inErrors: [...new Set([...secrets, ...others])],
    inCards: secrets.filter((value) => value.length >= shortestInCards),
  }
}

const flagValues = (args: readonly string[]): [string, string][] =>
  args.flatMap((arg, index): [string, string][] => {
    const joined = /^--?([\w-]+)=([\s\S]+)$/.exec(arg)
    if (joined) return [[joined[1]!, joined[2]!]]
    const before = /^--?([A-Za-z][\w-]*)$/.exec(args[index - 1] ?? '')?.[1]
    return before === undefined || !isSecretName(before) || arg.startsWith('-') ? [] : [[before, arg]]
  })

function addressValues(url: string): [string, string][] {
  if (!URL.canParse(url)) return []
  const { username, password, searchParams } = new URL(url)
  return [...searchParams, ['token', decoded(username)], ['password', decoded(password)]]
}

/** A word, a small number or a path: settings, which are worth reading in a report. */
const isPlain = (value: string): boolean =>
  /^(?:[a-z]{1,12}|[A-Z][a-z]{0,11}|[A-Z]{1,8}|[\d.:]{1,8})$/.test(value) ||
  /^(?:~|\.{0,2}[\\/]|[A-Za-z]:[\\/])/.test(value) ||
  /^application\/|^text\/|^\*\/\*$/.test(value)
