import { existsSync, readdirSync, lstatSync } from 'node:fs'
import { mkdir, writeFile, rm } from 'node:fs/promises'
import { type Config, isAddress } from '../../config.ts'
import type { SetQuota } from '../../tenants/quota.ts'
import { newToken } from '../../tenants/tenant-tokens.ts'
import {
  changeTenants,
  type Tenant,
  type Tenants,
  TenantsError,
  readTenants,
} from '../../tenants/tenants-file.ts'
import { tenantConfig, type TenantsPlace } from './tenant-config.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { dropStore } from '../../adapters/lancedb/connection.ts'
import { lockStore } from '../../adapters/lancedb/commit/writer-lock.ts'

/** A token as it is shown, once. */
export type ShownToken = { readonly id: string; readonly token: string; readonly expiresAt?: string }

/** Days that a token holds, where it ends at all. */
type TokenOptions = { readonly days?: number | undefined }

/** What starts nothing, until the operator says more: the bundled programs neither. */
const noPermits = `# What probes and calls for this tenant may start: nothing, until you say so
# (AUDITION_TENANTS=<base> AUDITION_TENANT=<name> audition allow <id>). Docs: docs/security.md, "Tenants".
allow: []
`

/**
 * Adds a tenant: its entry, its folder, settings that start nothing, and a token where one is wanted.
 *
 * @throws TenantsError when there is one by that name, or it is being removed
 */
export async function addTenant(
  config: Config,
  place: TenantsPlace,
  wanted: { readonly name: string; readonly quota: SetQuota; readonly token: TokenOptions | null },
): Promise<{ readonly store: string; readonly settings: string; readonly token: ShownToken | null }> {
  const { name, quota, token } = wanted
  const own = tenantConfig(config, place, name)
  const folders = isAddress(own.home) ? [own.settingsFolder] : [own.settingsFolder, own.home]
  for (const folder of new Set(folders)) checkFolder(folder)
  const made = token === null ? null : newToken(new Date(), token.days)
  const entry = { addedAt: new Date().toISOString(), quota, tokens: made === null ? [] : [made.kept] }
  await changeTenants(place.file, (all) => {
    checkUnknown(all, name)
    return all.set(name, entry)
  })
  // Until its settings are there nobody is served.
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(own.settings)) await writeFile(own.settings, noPermits, { mode: 0o600, flag: 'wx' })
  return { store: own.home, settings: own.settings, token: made && shown(made) }
}

/** @throws TenantsError when the name is taken */
function checkUnknown(all: Tenants, name: string): void {
  const known = all.get(name)
  if (known === undefined) return
  throw known.removedAt === undefined
    ? new TenantsError(
        `There is a tenant "${name}" already.`,
        `\`audition tenants token ${name}\` makes a token of it.`,
      )
    : new TenantsError(
        `"${name}" was removed, and replicas may still hold files of it.`,
        `\`audition tenants remove ${name}\` once more forgets the name; then add it.`,
      )
}

/** @throws TenantsError when something else lies there: it would go with the tenant */
function checkFolder(folder: string): void {
  checkNoLink(folder)
  const names = existsSync(folder) ? readdirSync(folder) : []
  if (names.length === 0 || names.includes('meta.lance') || names.includes('settings.yaml')) return
  throw new TenantsError(
    `${folder} is not empty, and no store of Audition.`,
    'Take another name, or move what lies there: it would be deleted with the tenant.',
  )
}

/** Makes one more token of a tenant. @throws TenantsError when there is none by that name */
export async function addToken(
  place: TenantsPlace,
  name: string,
  options: TokenOptions,
): Promise<ShownToken> {
  const made = newToken(new Date(), options.days)
  await changeTenant(place, name, (tenant) => ({ ...tenant, tokens: [...tenant.tokens, made.kept] }))
  return shown(made)
}

const shown = ({ token, kept: { id, expiresAt } }: ReturnType<typeof newToken>): ShownToken => ({
  id,
  token,
  ...(expiresAt === undefined ? {} : { expiresAt }),
})

/** Changes the entry of a tenant. @throws TenantsError when there is none by that name, or what `change` throws */
export async function changeTenant(
  { file }: TenantsPlace,
  name: string,
  change: (tenant: Tenant) => Tenant,
): Promise<Tenant> {
  const all = await changeTenants(file, (tenants) => {
    const known = tenants.get(name)
    if (known !== undefined && known.removedAt === undefined) return tenants.set(name, change(known))
    throw new TenantsError(`There is no tenant "${name}" in ${file}.`, '`audition tenants` lists them.')
  })
  return all.get(name)!
}

/** What was deleted of a tenant. */
export type RemovedTenant = {
  readonly name: string
  /** Folders and addresses where something lay. */
  readonly places: readonly string[]
  /** The name stays in the file, marked, so that every replica drops what it keeps; removing it once more takes it out. */
  readonly isMarked: boolean
}

/** A server looks for removed tenants every second, and ends what it runs: until then it may still write. */
const quietMs = 1_500
const quietRounds = 2
const mostRounds = 40

/**
 * Removes a tenant: its tokens at once, then its store, transcripts, runs, caches and settings. What servers that still run write
 * meanwhile is deleted too, until nothing more comes.
 *
 * @throws TenantsError when there is none by that name, or a running program keeps writing
 */
export async function removeTenant(
  config: Config,
  place: TenantsPlace,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
): Promise<RemovedTenant> {
  const own = tenantConfig(config, place, name)
  const folders = [...new Set([own.settingsFolder, own.cache, ...(isAddress(own.home) ? [] : [own.home])])]
  for (const folder of folders) checkNoLink(folder)
  const before = (await readTenants(place.file)).get(name)
  if (before === undefined)
    throw new TenantsError(`There is no tenant "${name}" in ${place.file}.`, '`audition tenants` lists them.')
  await changeTenants(place.file, (all) => {
    const { addedAt } = before
    return all.set(name, { addedAt, removedAt: new Date().toISOString(), quota: {}, tokens: [] })
  })
  const places = new Set<string>()
  for (let round = 1, quiet = 0; quiet < quietRounds; round += 1) {
    const found = await deleteAll(own.home, folders, signal)
    for (const one of found) places.add(one)
    quiet = found.length === 0 ? quiet + 1 : 0
    if (round === mostRounds)
      throw new TenantsError(
        `Something keeps writing into ${found.join(', ')}.`,
        `Stop what does, and say \`audition tenants remove ${name}\` once more.`,
      )
    if (quiet < quietRounds) await wait(quietMs, undefined, { signal })
  }
  const isMarked = isAddress(own.home) && before.removedAt === undefined
  if (!isMarked)
    await changeTenants(place.file, (all) => {
      all.delete(name)
      return all
    })
  return { name, places: [...places], isMarked }
}

/** @returns where something was */
async function deleteAll(
  home: string,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = []
  if (isAddress(home) && (await dropStore(home)).length > 0) found.push(home)
  for (const folder of folders) {
    if (!isThere(folder)) continue
    found.push(folder)
    // Whoever indexes it is waited for: half a commit would come back as files.
    const unlock = folder === home ? await lockStore(home, signal) : undefined
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    unlock?.()
  }
  return found
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** @throws TenantsError: what lies behind a link is not ours to delete, and may be another's */
function checkNoLink(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return
  throw new TenantsError(
    `${folder} is a link. A tenant has a folder of its own.`,
    'Put the folder itself there, and take the link away.',
  )
}
