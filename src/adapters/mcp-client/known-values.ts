import { commandValues, type KnownValues, knownValues } from '../processes/known-values.ts'
import { decoded } from './checked-launch.ts'
import type { ExpandedLaunch } from './expand-environment.ts'

/** What an expanded launch holds literally: environment, headers, values of variables, secrets in its address. */
export const knownValuesOf = ({ launch, substituted }: ExpandedLaunch): KnownValues =>
  knownValues(
    launch.transport === 'stdio'
      ? commandValues(launch)
      : [...Object.entries(launch.headers), ...addressValues(launch.url)],
    substituted,
  )

function addressValues(url: string): [string, string][] {
  if (!URL.canParse(url)) return []
  const { username, password, searchParams } = new URL(url)
  return [...searchParams, ['token', decoded(username)], ['password', decoded(password)]]
}
