import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { realPath } from '../../domain/paths.ts'
import { errorText } from '../../domain/remedy-error.ts'
import { hasReadableEnd } from '../walk-folder.ts'
import { foldersOf, looksOf, type PlaceFolders } from './place-contents.ts'

export type WatchOptions = {
  /** Told of places at which something may have changed, and that are there; nothing more is told until it is done. */
  readonly onChange: (places: readonly string[]) => Promise<void>
  /** Told once of each place that the system does not watch for us: it is looked at from time to time. */
  readonly onFault: (place: string, reason: string) => void
  /** Quiet time that ends a series of changes, in milliseconds. @defaultValue 300 */
  readonly quietMs?: number
  /** Between two looks at what cannot be watched. @defaultValue 30000 */
  readonly lookMs?: number
  /** Absolute folders that links in places may lead to; asked for whenever a place is looked at. @defaultValue none */
  readonly linksTo?: () => Promise<readonly string[]>
  /** Folders of one place that are watched; one of more is looked at. @defaultValue 4000 */
  readonly mostFolders?: number
}

/** Files and folders that are watched. */
type PlaceWatch = {
  /** Watches these from now on, and no others; of one that came to be there, or is followed anew, all folders are found again. */
  follow(places: readonly string[]): Promise<void>
  /** Says that something changed there. */
  touch(places: readonly string[]): void
  close(): void
}

type Followed = PlaceFolders & {
  readonly isWatched: boolean
  /** How it looked when it was followed. */
  readonly looks: string
}

/** Whether a folder was not watched yet, and why it cannot be. */
type Watched = { readonly isNew: boolean; readonly fault?: string }

/** What is watched is looked at every so many times that what is not is: every ten minutes. */
const watchedTurns = 20
/** A series of changes is told after so many times the quiet time, whether it ends or not. */
const mostQuietTimes = 10
/** After changes were taken in, so many times as long as that took passes before the next are. */
const restTimes = 4

/** Files that readers may know, what may be a folder, and what Kubernetes swaps, such as `..data`. */
const mayMatter = (name: string): boolean =>
  /^\.\./.test(name) || hasReadableEnd(name) || !/\.[^.]+$/.test(name)

/**
 * Watches by `fs.watch` one folder at a time, which every system does soundly; its own watching of whole trees does not follow links,
 * and on Linux loses folders that come and go. A place that vanishes is waited for at the nearest folder that is left.
 */
export function watchPlaces(options: WatchOptions): PlaceWatch {
  const { onChange, onFault, quietMs = 300, lookMs = 30_000, mostFolders = 4_000 } = options
  const { linksTo = async () => [] } = options
  const stop = new AbortController()
  const { signal } = stop
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>()
  const reported = new Set<string>()
  const changed = new Set<string>()
  let followed: ReadonlyMap<string, Followed> = new Map()
  let quiet: { readonly timer: NodeJS.Timeout; readonly since: number } | undefined
  let pauseMs = quietMs
  let isTelling = false

  const touch = (places: readonly string[]): void => {
    for (const place of places) changed.add(place)
    if (changed.size === 0 || signal.aborted || isTelling) return
    clearTimeout(quiet?.timer)
    const since = quiet?.since ?? Date.now()
    const left = since + mostQuietTimes * pauseMs - Date.now()
    quiet = { timer: setTimeout(() => void tell(), Math.max(0, Math.min(pauseMs, left))).unref(), since }
  }

  const tell = async (): Promise<void> => {
    isTelling = true
    quiet = undefined
    const places = [...changed]
    changed.clear()
    const started = Date.now()
    try {
      const there = places.filter((place) => followed.has(place) && isThere(place))
      if (there.length > 0) await onChange(there)
      if (!signal.aborted) await refollow(places)
    } catch (error) {
      if (!signal.aborted) onFault(places.join(', '), errorText(error))
    } finally {
      isTelling = false
      pauseMs = Math.max(quietMs, restTimes * (Date.now() - started))
      touch([])
    }
  }

  const onEvent = (folder: string, name: string | null): void => {
    const isGone = !isThere(folder)
    const isTouched = ([place, { kind, folders }]: readonly [string, Followed]): boolean => {
      if (!folders.includes(folder)) return false
      if (isGone) return true
      if (kind === 'file')
        return name === null || [place, realPath(place)].map((one) => basename(one)).includes(name)
      if (kind === 'missing') return isThere(place)
      return name === null || mayMatter(name)
    }
    touch([...followed].filter(isTouched).map(([place]) => place))
  }

  const unwatch = (folder: string): void => {
    watchers.get(folder)?.watcher.close()
    watchers.delete(folder)
  }

  const watchFolder = (folder: string): Watched => {
    const identity = identityOf(folder)
    if (watchers.get(folder)?.identity === identity) return { isNew: false }
    unwatch(folder) // one of that name that is gone
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => onEvent(folder, name))
      // A folder that vanished, on some systems.
      watcher.on('error', () => {
        watcher.close()
        if (watchers.get(folder)?.watcher === watcher) watchers.delete(folder)
        onEvent(folder, null)
      })
      watchers.set(folder, { watcher, identity })
      return { isNew: true }
    } catch (error) {
      return {
        isNew: false,
        fault: error instanceof Error && 'code' in error ? String(error.code) : String(error),
      }
    }
  }

  /** Finds the folders of a place anew, and watches them. */
  const followOne = async (place: string): Promise<Followed & { readonly isNew: boolean }> => {
    const found = await foldersOf(place, signal, await linksTo())
    const isTooMuch = found.folders.length > mostFolders
    const watched = isTooMuch ? [] : found.folders.map(watchFolder)
    const isNew = found.kind !== 'missing' && watched.some((one) => one.isNew)
    // A folder that vanished meanwhile is no fault.
    const fault = isTooMuch
      ? `it has more than ${mostFolders} folders`
      : watched.find((one) => one.fault !== undefined && one.fault !== 'ENOENT')?.fault
    const looks = (await looksOf(place, signal, await linksTo())).signature
    if (fault === undefined) return { ...found, isNew, isWatched: true, looks }
    if (!reported.has(place)) onFault(place, fault)
    reported.add(place)
    return { ...found, isNew: false, isWatched: false, looks }
  }

  const refollow = async (places: readonly string[]): Promise<void> => {
    const next = new Map(followed)
    const again: string[] = []
    for (const place of places.filter((one) => followed.has(one))) {
      const now = await followOne(place)
      next.set(place, now)
      // What was written into a new folder before it was watched made no event.
      if (now.isNew) again.push(place)
    }
    followed = next
    tidy()
    for (const place of again) changed.add(place)
  }

  const tidy = (): void => {
    const wanted = new Set([...followed.values()].flatMap(({ folders }) => folders))
    for (const folder of [...watchers.keys()]) {
      if (!wanted.has(folder) || !isThere(folder)) unwatch(folder)
    }
  }

  let turn = 0
  const look = async (): Promise<void> => {
    turn += 1
    for (const [place, { looks, isWatched }] of followed) {
      // Drives of other machines are watched without a word, and tell nothing.
      if ((isWatched && turn % watchedTurns !== 0) || !isThere(place)) continue
      await setImmediate()
      if ((await looksOf(place, signal, await linksTo())).signature !== looks) touch([place])
    }
  }
  const looking = setInterval(() => void look().catch(() => undefined), lookMs).unref()

  return {
    async follow(places) {
      const next = new Map<string, Followed>()
      for (const place of new Set(places)) {
        const known = followed.get(place)
        next.set(place, known ?? (await followOne(place)))
      }
      followed = next
      tidy()
    },
    touch,
    close() {
      stop.abort()
      clearTimeout(quiet?.timer)
      clearInterval(looking)
      for (const folder of [...watchers.keys()]) unwatch(folder)
    },
  }
}

/** Another folder of the same name is not the one that was watched. */
function identityOf(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.dev} ${found.ino} ${found.birthtimeMs}`
}

const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
