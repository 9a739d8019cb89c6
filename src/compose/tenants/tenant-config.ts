import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import { type Config, isAddress } from '../../config.ts'
import { quotaOf } from '../../tenants/quota.ts'
import { isTenantName, readTenants, TenantsError, tenantNameRule } from '../../tenants/tenants-file.ts'

/** Where the stores of tenants lie, and the file that says who they are. */
export type TenantsPlace = { readonly base: string; readonly file: string }

/**
 * @param base - a folder, or an address of object storage
 * @throws TenantsError for `db://`, where nothing lies under a base
 */
export function tenantsPlace(base: string, { environment, settingsFolder }: Config): TenantsPlace {
  if (/^db:/i.test(base))
    throw new TenantsError(
      `Tenants cannot lie in ${base}: a database of LanceDB Enterprise or Cloud has no folders.`,
      'Give a folder, or object storage (s3://, gs://, az://); or serve one database for each tenant.',
    )
  const named = environment.AUDITION_TENANTS_FILE
  if (isAddress(base)) return { base, file: resolve(named || join(settingsFolder, 'tenants.json')) }
  return { base: resolve(base), file: resolve(named || join(base, 'tenants.json')) }
}

/** The folder of a tenant beside the file of tenants, which holds its settings; of a base in a folder its store as well. */
const tenantFolder = ({ file }: TenantsPlace, name: string): string => join(dirname(file), name)

/** Where this machine keeps files of the tenants of a base that lies elsewhere. */
const tenantCaches = ({ base }: TenantsPlace, { cache }: Pick<Config, 'cache'>): string =>
  join(cache, 'tenants', createHash('sha256').update(base).digest('hex').slice(0, 16))

/** The store of a tenant: its name under the base, before what an address asks for. */
function storeOf(base: string, name: string): string {
  if (!isAddress(base)) return join(base, name)
  const [, address = base, asked = ''] = /^([^?]*)(\?.*)?$/s.exec(base) ?? []
  return `${address.replace(/\/$/, '')}/${name}${asked}`
}

/**
 * The configuration of a tenant: a store, files, settings and a cache of its own. Shared are the models alone, which hold nothing of
 * anybody. What it starts in a sandbox sees neither the other tenants nor what is the operator's.
 *
 * @throws TenantsError when it is no name: it becomes a part of paths
 */
export function tenantConfig(config: Config, place: TenantsPlace, name: string): Config {
  if (!isTenantName(name))
    throw new TenantsError(`${JSON.stringify(name)} is no name of a tenant.`, tenantNameRule)
  const folder = tenantFolder(place, name)
  const { cache, home, settings, settingsFolder, downloads = cache } = config
  return {
    ...config,
    home: storeOf(place.base, name),
    settings: join(folder, 'settings.yaml'),
    settingsFolder: folder,
    cache: isAddress(place.base) ? join(tenantCaches(place, config), name) : join(folder, 'cache'),
    downloads,
    searchThreads: 1,
    hidden: [home, place.base, dirname(place.file), cache, settings, settingsFolder].filter(
      (path) => !isAddress(path),
    ),
  }
}

/**
 * The configuration of the tenant that `AUDITION_TENANT` names: so a command works on the store of a tenant as on any other.
 *
 * @throws TenantsError when there is none by that name, or the environment contradicts itself
 */
export async function configOfTenant(config: Config): Promise<Config> {
  const { AUDITION_TENANT: name = '', AUDITION_TENANTS: base, AUDITION_HOME: home } = config.environment
  if (!base)
    throw new TenantsError(
      'AUDITION_TENANT names a tenant, and nothing says of which base.',
      'Set AUDITION_TENANTS to the folder or address that `audition serve --tenants` gets.',
    )
  if (home)
    throw new TenantsError(
      'A store (--home, AUDITION_HOME) and a tenant (AUDITION_TENANT) are named.',
      'Give one of them, so that one store is meant.',
    )
  const place = tenantsPlace(base, config)
  const own = tenantConfig(config, place, name)
  const tenant = (await readTenants(place.file)).get(name)
  if (tenant === undefined || tenant.removedAt !== undefined)
    throw new TenantsError(
      `There is no tenant "${name}" in ${place.file}.`,
      `\`audition tenants add ${name}\` adds it.`,
    )
  return { ...own, mostCards: quotaOf(tenant.quota).cards }
}
