import { statSync } from 'node:fs'

/** Whether a folder stands there, if only behind a link; no where nobody may look. */
export const isFolder = (path: string): boolean => stands(path)?.isDirectory() ?? false

/** Whether a file stands there, if only behind a link; no where nobody may look. */
export const isFile = (path: string): boolean => stands(path)?.isFile() ?? false

function stands(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
