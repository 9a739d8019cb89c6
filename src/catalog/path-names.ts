import { sep } from 'node:path'

/** The last part of a path or URL, without query and fragment: `agents/a.yaml` gives `a.yaml`. */
export const fileName = (path: string): string =>
  path
    .replace(/^([a-z][a-z0-9+.-]+:\/\/[^?#]*)[?#].*$/i, '$1')
    .split(/[\\/]/)
    .at(-1) ?? ''

/** The file's name without its ending (and `.gz`): `agents/a.b.yaml` gives `a.b`. */
export const fileStem = (path: string): string =>
  fileName(path)
    .replace(/\.gz$/i, '')
    .replace(/\.[A-Za-z0-9]+$/, '')

/** The name of the folder the file lies in; empty when the path has none. */
export const parentFolder = (path: string): string => path.split(/[\\/]/).at(-2) ?? ''

/** Whether the file's name ends so, `.gz` aside: `hasEnding('a.jsonl.gz', 'jsonl', 'ndjson')`. */
export function hasEnding(path: string, ...endings: readonly string[]): boolean {
  const name = fileName(path).replace(/\.gz$/i, '').toLowerCase()
  return endings.some((ending) => name.endsWith(`.${ending}`))
}

/** Whether the file's name ends in `.yaml` or `.yml`. */
export const isYamlPath = (path: string): boolean => hasEnding(path, 'yaml', 'yml')

/** Whether the path lies in the folder. */
export const isWithin = (folder: string, path: string): boolean =>
  [sep, '/'].some((slash) => path.startsWith(folder.endsWith(slash) ? folder : `${folder}${slash}`))
