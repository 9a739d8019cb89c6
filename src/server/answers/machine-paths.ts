import { basename } from 'node:path'

/**
 * Where a card was read, for an answer that may leave the machine: URLs stay, of a path only the file's name does,
 * so that no answer tells how the machine's folders are laid out.
 */
export const shownLocation = (location: string): string =>
  /^[a-z][a-z0-9+.-]+:\/\//i.test(location) && !/^file:/i.test(location)
    ? location
    : basename(location.replaceAll('\\', '/'))

/** An absolute path (POSIX, home-relative, Windows or `file:`) at the start of a word or after `=`, `:` or a quote. */
const absolutePath =
  /(?<=^|[\s"'`=(<[{,;:])(?:file:\/\/\/?|[A-Za-z]:[\\/]|~\/|\/(?!\/))[^\s"'`<>(){}[\],;:]*[\\/][^\s"'`<>(){}[\],;]*/g

/** A text in which every absolute path is cut down to its last part: `node …/server.js`. */
export const withoutPaths = (text: string): string =>
  text.replace(absolutePath, (path) => `…/${path.split(/[\\/]/).at(-1) ?? ''}`)
