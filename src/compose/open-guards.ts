import { homedir } from 'node:os'
import { join } from 'node:path'
import { type HttpGuard, httpGuard } from '../adapters/http/guarded-fetch.ts'
import { bubblewrap } from '../adapters/processes/sandbox/bubblewrap.ts'
import { container } from '../adapters/processes/sandbox/container.ts'
import { type Sandbox, noSandbox, type Containment } from '../adapters/processes/sandbox/sandbox.ts'
import { type Config, isAddress } from '../config.ts'
import { sandboxOf as grantedSandbox, standsFor } from '../probing/settings/grants.ts'
import type { Settings } from '../probing/settings/settings.ts'
import { readSettings } from '../probing/settings/settings-file.ts'

/** What stands between Audition and whatever cards name, as the user's settings have it. */
type Guards = {
  /** The way to addresses. */
  readonly guard: HttpGuard
  /** What holds programs. */
  readonly containment: Containment
  /** Absolute folders that links of indexed folders may lead to. */
  readonly followLinks: readonly string[]
}

/** Whose choices in hosts count: nothing is started that this user switched off there. */
export const hostUserOf = ({ environment }: Pick<Config, 'environment'>) => ({
  home: environment.HOME || homedir(),
  platform: process.platform,
  env: environment,
})

type Surroundings = Pick<Config, 'home' | 'cache' | 'settings' | 'settingsFolder' | 'environment' | 'hidden'>

export function guardsOf(config: Surroundings, settings: Settings): Guards {
  const { privateHosts, children: limits } = settings
  const { home } = hostUserOf(config)
  const { network, readable, writable } = settings.sandbox
  const absolute = (path: string): string => (path.startsWith('~') ? join(home, path.slice(1)) : path)
  const opened = { readable: readable.map(absolute), writable: writable.map(absolute) }
  const mayUseNetwork = (permit: string): boolean =>
    typeof network === 'boolean' ? network : network.some((pattern) => standsFor(pattern, permit))
  const containment = {
    sandbox: sandboxOf(config, settings, home),
    limits,
    opening: (permit: string) => ({ network: mayUseNetwork(permit), ...opened }),
  }
  return {
    guard: httpGuard({ privateHosts }),
    followLinks: settings.followLinks.map(absolute),
    containment: {
      ...containment,
      of(permit) {
        const { sandbox: kind, network: isOpen = false } = grantedSandbox(settings.allow, permit)
        if (kind === undefined || settings.sandbox.kind !== 'none') return containment
        const sandbox = sandboxOf(config, { ...settings, sandbox: { ...settings.sandbox, kind } }, home)
        return {
          ...containment,
          sandbox,
          isOfPermit: true,
          opening: () => ({ network: isOpen || mayUseNetwork(permit), ...opened }),
        }
      },
    },
  }
}

/** @throws SettingsError when the settings cannot be read: then nothing is started and nothing asked */
export const readGuards = async (config: Surroundings): Promise<Guards> =>
  guardsOf(config, await readSettings(config.settings))

function sandboxOf(
  { home: store, cache, settings, settingsFolder, environment, hidden: others = [] }: Surroundings,
  { sandbox: { kind, engine, image } }: Settings,
  home: string,
): Sandbox {
  // Of a settings file that lies elsewhere, the file alone: its folder may be a project that programs run in.
  const hidden = [...(isAddress(store) ? [] : [store]), cache, settingsFolder, settings, ...others]
  const path = environment.PATH ?? ''
  switch (kind) {
    case 'none':
      return noSandbox()
    case 'bubblewrap':
      return bubblewrap({ home, hidden, path })
    case 'container':
      return container({ engine, image, home, hidden, path })
  }
}
