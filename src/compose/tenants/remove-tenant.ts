import { lstatSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { dropStore } from '../../adapters/lancedb/connection.ts'
import { lockStore } from '../../adapters/lancedb/commit/writer-lock.ts'
import { type Config, isAddress } from '../../config.ts'
import { changeTenants, readTenants, TenantsError } from '../../tenants/tenants-file.ts'
import { tenantConfig, type TenantsPlace } from './tenant-config.ts'

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
export function checkNoLink(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return
  throw new TenantsError(
    `${folder} is a link. A tenant has a folder of its own.`,
    'Put the folder itself there, and take the link away.',
  )
}
