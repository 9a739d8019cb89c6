import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, isAddress } from '../../config.ts'
import { followTenants, TenantsError } from '../../tenants/tenants-file.ts'
import { guardedFetchOf, openAudition } from '../app.ts'
import type { Audition } from '../audition.ts'
import { openSearchModels } from '../open-store.ts'
import { tenantConfig, tenantsPlace } from './tenant-config.ts'

/** What tenants may do besides searching. */
type TenantsOptions = {
  /** Whether their tools and agents may be called, as far as the settings of each allow. */
  readonly calls: boolean
  /** Whether what calls give is kept, for simulated servers. */
  readonly keepsCalls: boolean
}

/** Opens the stores of tenants under a base, all of them by the same models. */
export function openTenants(config: Config, base: string, { calls, keepsCalls }: TenantsOptions) {
  const place = tenantsPlace(base, config)
  const models = openSearchModels(config, guardedFetchOf(config)('user'))
  const of = (name: string): Config => tenantConfig(config, place, name)
  const filesOf = (name: string): string => (isAddress(base) ? of(name).cache : of(name).home)
  return {
    current: followTenants(place.file),
    open(name: string): Audition {
      const app = openAudition(of(name), models)
      return keepsCalls ? { ...app, calling: app.keptCalling } : app
    },
    /** Of a tenant's callers no host is known, least of all the operator's: no configuration is read. */
    surroundedBy: (name: string) =>
      calls
        ? { user: { home: filesOf(name), platform: process.platform, env: {} }, cwd: null, calls }
        : undefined,
    /** Without its settings nothing says what it may start: then it is not served. */
    faultOf(name: string): Error | null {
      const { settings } = of(name)
      if (existsSync(settings)) return null
      return new TenantsError(
        `The settings of tenant "${name}" are not there: ${settings}. It is not served.`,
        'Put them back; the one line `allow: []` starts nothing.',
      )
    },
    bytes: (name: string): Promise<number> => bytesIn(filesOf(name)),
    async forget(name: string): Promise<void> {
      if (isAddress(base)) await rm(of(name).cache, { recursive: true, force: true })
    },
    close: () => models.close(),
  }
}

/** Bytes of all files in a folder; what goes meanwhile counts nothing. */
export async function bytesIn(folder: string): Promise<number> {
  let sum = 0
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const file = await stat(join(folder, name)).catch(() => null)
    if (file?.isFile() === true) sum += file.size
  }
  return sum
}
