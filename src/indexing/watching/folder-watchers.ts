import { type FSWatcher, statSync, watch } from 'node:fs'

/** Whether a folder was not watched yet, and why it cannot be. */
type Watched = { readonly isNew: boolean; readonly fault?: string }

/** Folders that are watched by `fs.watch`, each by itself. */
type FolderWatchers = {
  watch(folder: string): Watched
  /** Lets go of all others, and of those that are gone. */
  keep(folders: ReadonlySet<string>): void
  close(): void
}

/** @param onEvent - told of what happened in a folder, and to which entry where the system says so */
export function folderWatchers(onEvent: (folder: string, name: string | null) => void): FolderWatchers {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>()

  const unwatch = (folder: string): void => {
    watchers.get(folder)?.watcher.close()
    watchers.delete(folder)
  }

  return {
    watch(folder) {
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
    },
    keep(folders) {
      for (const folder of [...watchers.keys()]) if (!folders.has(folder) || !isThere(folder)) unwatch(folder)
    },
    close() {
      for (const folder of [...watchers.keys()]) unwatch(folder)
    },
  }
}

/** Another folder of the same name is not the one that was watched. */
function identityOf(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.dev} ${found.ino} ${found.birthtimeMs}`
}

export const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
