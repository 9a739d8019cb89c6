import { basename, dirname, join, resolve } from 'node:path'
import { readdirSync, readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { isFile, isFolder } from '../../domain/paths.ts'

const endings = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '.node', '.jsx', '.tsx']

/** Files that Node.js and its like may mean by a path: itself, with an ending, what `package.json` of a folder names, its index. */
export function nodeFiles(place: string): readonly string[] {
  if (isFile(place)) return [place, ...sourcesOf(place)]
  const main = isFolder(place) ? packageOf(place)?.main : undefined
  const within = typeof main === 'string' ? [resolve(place, main)] : []
  return [place, ...within].flatMap((one) => [
    one,
    ...sourcesOf(one),
    ...endings.map((ending) => `${one}${ending}`),
    ...(isFolder(one) ? endings.map((ending) => join(one, `index${ending}`)) : []),
  ])
}

/** Sources of TypeScript name the files that will be built of them. */
const sourcesOf = (place: string): readonly string[] =>
  /\.[cm]?jsx?$/.test(place) ? [place.replace(/js(x?)$/, 'ts$1'), place.replace(/js$/, 'tsx')] : []

/** Files that Python may mean by a module: it, and the packages on the way. */
export function pythonFiles(base: string, name: string): readonly string[] {
  const parts = name.split('.').filter((part) => part !== '')
  if (parts.length === 0) return []
  return [
    ...parts.map((_, last) => join(base, ...parts.slice(0, last + 1), '__init__.py')),
    `${join(base, ...parts)}.py`,
  ]
}

/** Compiled files that Python may take in place of a source. */
export function compiledOf(source: string): readonly string[] {
  const [folder, name] = [dirname(source), basename(source, '.py')]
  return [folder, join(folder, '__pycache__')].flatMap((one) =>
    (isFolder(one) ? readdirSync(one) : [])
      .filter((file) => file.startsWith(`${name}.`) && /\.(?:pyc|pyd|so)$/.test(file))
      .map((file) => join(one, file)),
  )
}

/** What `package.json` of a folder says; undefined when there is none that can be read. */
export function packageOf(folder: string): JsonObject | undefined {
  try {
    const read = JSON.parse(shortText(join(folder, 'package.json')) ?? '') as JsonValue
    return isJsonObject(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Characters of a file that is read for what it names. */
const longestFile = 1_000_000

/** What stands in a file, unless it is not there or too long for one that a person wrote. */
export function shortText(path: string): string | undefined {
  if (!isFile(path)) return undefined
  const text = readFileSync(path, 'utf8')
  return text.length <= longestFile ? text : undefined
}

/** A folder and those above it, nearest first. */
export function upwards(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...upwards(above)]
}
