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

/** Names of files that say nothing of what is in them. */
const sayNothing =
  /^(?:tools?|agents?|functions?|cards|corpus|documents?|data|train|test|merge|index|catalog|all|list)$/i

/** What a file of many cards is called: by its own name, or by that of its folder where its own says nothing. */
export function catalogName(path: string): string {
  const stem = fileStem(path).replace(/\.(?:jsonl|ndjson|json)$/i, '')
  return sayNothing.test(stem) ? parentFolder(path) || stem : stem
}
