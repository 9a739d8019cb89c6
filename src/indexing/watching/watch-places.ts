import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { realPath } from '../../domain/paths.ts'
import { errorText } from '../../domain/remedy-error.ts'
import { hasReadableEnd } from '../walk-folder.ts'
import { changeSeries } from './change-series.ts'
import { folderWatchers, isThere } from './folder-watchers.ts'
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

/** What is watched is looked at every so many times that what is not is: every ten minutes. */
const watchedTurns = 20

/** Files that readers may know, what may be a folder, and what Kubernetes swaps, such as `..data`. */
const mayMatter = (name: string): boolean =>
  /^\.\./.test(name) || hasReadableEnd(name) || !/\.[^.]+$/.test(name)

/**
 * Watches by `fs.watch` one folder at a time, which every system does soundly; its own watching of whole trees does not follow links,
 * and on Linux loses folders that come and go. A place that vanishes is waited for at the nearest folder that is left.
 */
export const watchPlaces = (options: WatchOptions): PlaceWatch => new WatchedPlaces(options)

class WatchedPlaces implements PlaceWatch {
  readonly #options: WatchOptions
  readonly #stop = new AbortController()
  readonly #folders = folderWatchers((folder, name) => this.touch(this.#touchedBy(folder, name)))
  readonly #changes: ReturnType<typeof changeSeries>
  readonly #looking: NodeJS.Timeout
  /** Places of which it was said that they cannot be watched. */
  readonly #reported = new Set<string>()
  #followed: ReadonlyMap<string, Followed> = new Map()
  #turn = 0

  constructor(options: WatchOptions) {
    const { quietMs = 300, lookMs = 30_000 } = options
    this.#options = options
    this.#changes = changeSeries((places) => this.#takeIn(places), quietMs)
    this.#looking = setInterval(() => void this.#look().catch(() => undefined), lookMs).unref()
  }

  async follow(places: readonly string[]): Promise<void> {
    const next = new Map<string, Followed>()
    for (const place of new Set(places)) {
      const known = this.#followed.get(place)
      next.set(place, known ?? (await this.#followOne(place)))
    }
    this.#followed = next
    this.#tidy()
  }

  touch(places: readonly string[]): void {
    this.#changes.touch(places)
  }

  close(): void {
    this.#stop.abort()
    this.#changes.close()
    clearInterval(this.#looking)
    this.#folders.close()
  }

  async #takeIn(places: readonly string[]): Promise<void> {
    const { onChange, onFault } = this.#options
    const { signal } = this.#stop
    try {
      const there = places.filter((place) => this.#followed.has(place) && isThere(place))
      if (there.length > 0) await onChange(there)
      if (!signal.aborted) await this.#refollow(places)
    } catch (error) {
      if (!signal.aborted) onFault(places.join(', '), errorText(error))
    }
  }

  /** Places at which something may have changed, by what happened in a folder. */
  #touchedBy(folder: string, name: string | null): readonly string[] {
    const isGone = !isThere(folder)
    const isTouched = ([place, { kind, folders }]: readonly [string, Followed]): boolean => {
      if (!folders.includes(folder)) return false
      if (isGone) return true
      if (kind === 'file')
        return name === null || [place, realPath(place)].map((one) => basename(one)).includes(name)
      if (kind === 'missing') return isThere(place)
      return name === null || mayMatter(name)
    }
    return [...this.#followed].filter(isTouched).map(([place]) => place)
  }

  #linksTo = async (): Promise<readonly string[]> => this.#options.linksTo?.() ?? []

  /** Finds the folders of a place anew, and watches them. */
  async #followOne(place: string): Promise<Followed & { readonly isNew: boolean }> {
    const { onFault, mostFolders = 4_000 } = this.#options
    const { signal } = this.#stop
    const found = await foldersOf(place, signal, await this.#linksTo())
    const isTooMuch = found.folders.length > mostFolders
    const watched = isTooMuch ? [] : found.folders.map((folder) => this.#folders.watch(folder))
    const isNew = found.kind !== 'missing' && watched.some((one) => one.isNew)
    // A folder that vanished meanwhile is no fault.
    const fault = isTooMuch
      ? `it has more than ${mostFolders} folders`
      : watched.find((one) => one.fault !== undefined && one.fault !== 'ENOENT')?.fault
    const looks = (await looksOf(place, signal, await this.#linksTo())).signature
    if (fault === undefined) return { ...found, isNew, isWatched: true, looks }
    if (!this.#reported.has(place)) onFault(place, fault)
    this.#reported.add(place)
    return { ...found, isNew: false, isWatched: false, looks }
  }

  async #refollow(places: readonly string[]): Promise<void> {
    const next = new Map(this.#followed)
    const again: string[] = []
    for (const place of places.filter((one) => this.#followed.has(one))) {
      const now = await this.#followOne(place)
      next.set(place, now)
      // What was written into a new folder before it was watched made no event.
      if (now.isNew) again.push(place)
    }
    this.#followed = next
    this.#tidy()
    this.touch(again)
  }

  #tidy(): void {
    this.#folders.keep(new Set([...this.#followed.values()].flatMap(({ folders }) => folders)))
  }

  async #look(): Promise<void> {
    const { signal } = this.#stop
    this.#turn += 1
    for (const [place, { looks, isWatched }] of this.#followed) {
      // Drives of other machines are watched without a word, and tell nothing.
      if ((isWatched && this.#turn % watchedTurns !== 0) || !isThere(place)) continue
      await setImmediate()
      if ((await looksOf(place, signal, await this.#linksTo())).signature !== looks) this.touch([place])
    }
  }
}
