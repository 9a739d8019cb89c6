import { namesInLine } from '../domain/text/names-in-line.ts'
import { basename } from 'node:path'
import { printableLine } from '../domain/text/printable.ts'

/** Cuts a text to so many characters (code points), the last one an ellipsis when something was cut. */
export function clip(text: string, characters: number): string {
  if (text.length <= characters) return text
  const points = [...text.slice(0, characters * 2)]
  if (points.length <= characters && text.length <= characters * 2) return text
  return `${points.slice(0, Math.max(0, characters - 1)).join('')}…`
}

/** A card's text as one clean line of at most so many characters. */
export function oneLine(text: string, characters: number): string {
  const looked = text.trimStart().slice(0, characters * 4 + 4_000) // a text may be megabytes
  const line = clip(printableLine(looked), characters)
  return looked.length < text.trim().length && !line.endsWith('…') ? `${clip(line, characters - 1)}…` : line
}

/** The same, cut between two words; within a word only where there is no other place in the last half. */
export function clipWords(text: string, characters: number): string {
  const line = oneLine(text, characters)
  if (!line.endsWith('…') || line === printableLine(text.slice(0, line.length + 40))) return line
  const end = line.lastIndexOf(' ')
  return end < line.length / 2 ? line : `${line.slice(0, end).replace(/(?<![\s,;:.–-])[\s,;:.–-]+$/u, '')}…`
}

/**
 * A card's text for a sentence of ours: one clean line between double quotes, its own quotes escaped, so that it
 * cannot be taken for our words.
 */
export const quoted = (text: string, characters = 120): string => JSON.stringify(oneLine(text, characters))

/** Several quoted texts, with commas; what goes beyond `most` is counted. */
export const quotedList = (texts: readonly string[], most: number, characters = 60): string =>
  namesInLine(
    texts.map((text) => quoted(text, characters)),
    most,
  )

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
