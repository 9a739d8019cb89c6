import { readFile, readlink, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../domain/json.ts'
import { contains } from '../../domain/paths.ts'
import { hasEntryAsWritten, presentEntry, withEntry, withoutEntry } from './edit.ts'
import type { Target } from '../block.ts'
import {
  HostConfigError,
  hashOf,
  type KeptConfig,
  type KeptConfigs,
  type KeptEntry,
  codeOf,
  replaceFile,
} from './replace-file.ts'

/** What became of the configuration. */
export type HostConfigChange = {
  readonly outcome: 'created' | 'added' | 'replaced' | 'unchanged'
  /** Absolute path of the file, links followed. */
  readonly path: string
  /** The file that keeps the configuration as it was. Absent when nothing changed. */
  readonly kept?: string
}

/** What became of it when the change was undone. */
export type HostConfigUndone = {
  /**
   * `restored`: the file is as if our entry had never been written, or gone again. `removed`: others changed it since, so only our entry was
   * taken out, or the one before it put back. `absent`: there was nothing of ours.
   */
  readonly outcome: 'restored' | 'removed' | 'absent'
  readonly path: string
}

/** Tries of an edit while a host goes on writing its own configuration. */
const mostTries = 5

/** An entry, and the file that gets it. */
export type EntryTarget = KeptEntry & Pick<Target, 'path'>

/**
 * Puts an entry into a host's configuration. Comments, order, indentation and all else stay byte for byte;
 * the file is replaced in one step and keeps its permissions; missing folders and files are made. What stood there is
 * kept, so that {@link undoHostConfig} can put it back.
 *
 * @param onConflict - what to do when there is another entry of our name
 * @throws HostConfigError when the file is broken, read-only, of another shape, or in conflict
 */
export async function writeHostConfig(
  block: EntryTarget,
  kept: KeptConfigs,
  onConflict: 'refuse' | 'replace' = 'refuse',
): Promise<HostConfigChange> {
  const path = await targetOf(block.path)
  for (let tries = 1; ; tries += 1) {
    const old = await contentsOf(path)
    const edited = withEntry(old ?? '', { ...block, path }, onConflict)
    if (edited.outcome === 'unchanged') return { outcome: 'unchanged', path }
    const mode = old === undefined ? undefined : await writableMode(path)
    const former = await kept.of(path)
    const file = await kept.keep(keptState({ path, old, text: edited.text }, block, former))
    const { written, madeFolder } = await replaceFile(path, edited.text, {
      ...(mode === undefined ? {} : { mode }),
      isStill: async () => (await contentsOf(path)) === old,
    }).catch(async (error: unknown) => {
      await (former === null ? kept.forget(path) : kept.keep(former))
      throw error
    })
    if (written) {
      const state = await kept.of(path)
      if (madeFolder !== undefined && state !== null) await kept.keep({ ...state, madeFolder })
      return { outcome: old === undefined ? 'created' : edited.outcome, path, kept: file }
    }
    if (tries === mostTries)
      throw new HostConfigError(`${path}: another program keeps writing it.`, 'Try again.')
  }
}

/** What an entry would change. @throws HostConfigError as {@link writeHostConfig} */
export async function plannedConfig(
  block: Target,
): Promise<{ readonly path: string; readonly before: string; readonly text: string }> {
  const path = await targetOf(block.path)
  const old = await contentsOf(path)
  if (old !== undefined) await writableMode(path)
  return { path, before: old ?? '', text: withEntry(old ?? '', { ...block, path }, 'refuse').text }
}

/** The state before our first write stays kept as long as nobody else wrote since. */
function keptState(
  { path, old, text }: { readonly path: string; readonly old: string | undefined; readonly text: string },
  { format, key, name, entry, text: block, hired }: EntryTarget,
  former: KeptConfig | null,
): KeptConfig {
  const written = hashOf(text)
  const isOurs = former !== null && old !== undefined && hashOf(old) === former.written
  const own: KeptEntry = { format, key, name, entry, text: block, ...(hired === undefined ? {} : { hired }) }
  const still = (former?.entries ?? []).filter(
    (one) => !isSame(one, own) && (isOurs || hasEntryAsWritten(old ?? '', { ...one, path })),
  )
  const entries = [...still, own]
  return isOurs ? { ...former, written, entries } : { path, before: old ?? null, written, entries }
}

const isSame = (one: KeptEntry, other: KeptEntry): boolean =>
  one.name === other.name && isDeepStrictEqual(one.key, other.key)

/**
 * Takes an entry out of a host's configuration again. A file that nobody else changed since is put back as it was, with
 * the other entries of ours that it has by then.
 *
 * @param whenChanged - what to do when the entry itself is no longer as it was written
 * @throws HostConfigError
 */
export async function undoHostConfig(
  block: Target,
  kept: KeptConfigs,
  whenChanged: 'take-out' | 'refuse' = 'take-out',
): Promise<HostConfigUndone> {
  const path = await targetOf(block.path)
  for (let tries = 1; ; tries += 1) {
    const old = await contentsOf(path)
    const state = await kept.of(path)
    const others = state?.entries.filter((one) => !isSame(one, block)) ?? []
    const settle = async (written?: string) =>
      void (state === null || others.length === 0
        ? await kept.forget(path)
        : await kept.keep({ ...state, written: written ?? state.written, entries: others }))
    if (old === undefined) {
      await kept.forget(path)
      return { outcome: 'absent', path }
    }
    const isStill = async () => (await contentsOf(path)) === old
    const isAsWritten =
      state !== null && hashOf(old) === state.written && others.length < state.entries.length
    if (isAsWritten && state.before === null && others.length === 0) {
      await writableMode(path)
      await rm(path)
      await removeMade(path, state)
      await kept.forget(path)
      return { outcome: 'restored', path }
    }
    const target = { ...block, path }
    if (!isAsWritten && whenChanged === 'refuse') assertAsWritten(old, target)
    const text = isAsWritten
      ? asIfNever(state, target, others)
      : withoutEntry(old, target, formerEntry(state, target))
    if (text === undefined) {
      await settle()
      return { outcome: 'absent', path }
    }
    const { written } = await replaceFile(path, text, { mode: await writableMode(path), isStill })
    if (written) {
      await settle(isAsWritten ? hashOf(text) : undefined)
      return { outcome: isAsWritten ? 'restored' : 'removed', path }
    }
    if (tries === mostTries)
      throw new HostConfigError(`${path}: another program keeps writing it.`, 'Try again.')
  }
}

/** The text with our other entries, as if this one had never been written. */
function asIfNever({ before, path }: KeptConfig, target: Target, others: readonly KeptEntry[]): string {
  const base = before ?? ''
  const isThere = isDeepStrictEqual(presentEntry(base, target), target.entry)
  const without = isThere ? withoutEntry(base, target, null)! : base
  return others.reduce((text, one) => withEntry(text, { ...one, path }, 'replace').text, without)
}

function assertAsWritten(text: string, target: Target): void {
  if (presentEntry(text, target) === undefined || hasEntryAsWritten(text, target)) return
  throw new HostConfigError(
    `${target.path}: the entry "${target.name}" was changed since it was written.`,
    'Take it out by hand, or put it back as it was.',
  )
}

/** The entry of our name that we replaced; null when there was none. */
function formerEntry(state: KeptConfig | null, target: Target) {
  if (state?.before === null || state === null) return null
  try {
    const former = presentEntry(state.before, target)
    return isJsonObject(former) && !isDeepStrictEqual(former, target.entry) ? former : null
  } catch (error) {
    if (error instanceof HostConfigError) return null
    throw error
  }
}

/** Folders that were made for the file alone are gone with it. */
export async function removeMade(path: string, { madeFolder }: KeptConfig): Promise<void> {
  if (madeFolder === undefined) return
  for (let folder = dirname(path); contains({ folder: madeFolder, path: folder }); folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch {
      return // something else lies in it
    }
  }
}

async function writableMode(path: string): Promise<number> {
  const { mode } = await stat(path)
  if ((mode & 0o222) === 0)
    throw new HostConfigError(`${path} is read-only.`, 'Make it writable, or paste the block yourself.')
  return mode & 0o7777
}

/** Where a path leads, links followed, also those to a file that is not there yet. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    // Whatever else is wrong with it, links in a circle too, reading it says.
    if (codeOf(error) !== 'ENOENT') return path
    const link = await readlink(path).catch(() => null)
    return link === null ? path : targetOf(resolve(await realpath(dirname(path)), link))
  }
}

/** The text of the file, or undefined when there is none. */
async function contentsOf(path: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path))
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'ENOENT') return undefined
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new HostConfigError(`${path}: is not UTF-8.`, 'Save it as UTF-8; nothing was written.', { cause })
    }
    throw new HostConfigError(`${path}: cannot be read (${String(code)}).`, 'Check its permissions.', {
      cause,
    })
  }
}
