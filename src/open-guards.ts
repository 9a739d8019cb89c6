import { type HttpGuard, httpGuard } from './adapters/http/guarded-fetch.ts'
import type { Config } from './config.ts'
import type { Settings } from './probing/settings.ts'
import { readSettings } from './probing/settings-file.ts'

/** What stands between Audition and whatever cards name, as the user's settings have it. */
export type Guards = {
  /** The way to addresses. */
  readonly guard: HttpGuard
}

export const guardsOf = ({ privateHosts }: Settings): Guards => ({ guard: httpGuard({ privateHosts }) })

/** @throws SettingsError when the settings cannot be read: then nothing is started and nothing asked */
export const readGuards = async ({ settings }: Pick<Config, 'settings'>): Promise<Guards> =>
  guardsOf(await readSettings(settings))
