import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { isJsonObject, type JsonValue } from '../../domain/json.ts'

/** What a command line runs by a name that another file gives a meaning. */
type NamedWork = {
  /** Lines of `package.json` that are run, with what they are called. */
  readonly lines: readonly (readonly [name: string, line: string])[]
  /** Files that the names lead to, and those that the lines name; absolute, there or not. */
  readonly paths: readonly string[]
}

type Words = readonly string[]

/** Where a line is run. */
type Place = { readonly folder: string; readonly env: { readonly [name: string]: string | undefined } }

/** Lines that are looked at, of those that start further ones. */
const mostLines = 100

/**
 * What the words of a command line stand for: scripts of `package.json` (`npm run serve`), modules (`python -m tool`), the files in which
 * `make` and its like look by themselves, and the words of a line that a shell is handed (`sh -c "…"`). Read as written: what a shell
 * or a program makes of variables is not known here.
 */
export const namedWork = (words: Words, place: Place): NamedWork => workOf(words, place, new Set())

/** @param seen - lines that were looked at, with their folders: each is looked at once */
function workOf(words: Words, place: Place, seen: Set<string>): NamedWork {
  const { lines, folder } = scriptLines(words, place.folder) ?? { lines: [], folder: place.folder }
  const within = [
    ...lines.map(([, line]) => ({ line, folder })),
    ...words.filter((word) => /\s/.test(word)).map((line) => ({ line, folder: place.folder })),
  ].filter(({ line, folder }) => {
    const key = `${folder}\0${line}`
    return !seen.has(key) && seen.size < mostLines && seen.add(key)
  })
  const further = within.flatMap((one) =>
    commandsOf(one.line).map((command) => ({
      ...workOf(command, { ...place, folder: one.folder }, seen),
      named: command.map((word) => resolve(one.folder, word.replace(/^--?[\w-]+=/, ''))),
    })),
  )
  return {
    lines: distinct([...lines, ...further.flatMap((one) => one.lines)]),
    paths: [
      ...modulePaths(words, place),
      ...recipePaths(words, place.folder),
      ...further.flatMap(({ named, paths }) => [...named, ...paths]),
    ],
  }
}

const distinct = (lines: NamedWork['lines']): NamedWork['lines'] => [...new Map(lines)].map((one) => one)

/** Programs that run scripts of `package.json`, and whether the name of one may follow by itself. */
const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ['npm', 'by "run"'],
  ['node', 'by "run"'],
  ['bun', 'by "run"'],
  ['pnpm', 'by name'],
  ['yarn', 'by name'],
])
type Runner = 'by "run"' | 'by name'

const runWords: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn', '--run'])
const shortWords: ReadonlySet<string> = new Set(['start', 'stop', 'test', 'restart'])
/** Of options that are followed by the folder of the project. */
const folderOptions: ReadonlySet<string> = new Set(['--prefix', '-C', '--dir', '--cwd'])

/** The script of `package.json` that a line runs, with those that run before and after it. */
function scriptLines(
  words: Words,
  from: string,
): { readonly folder: string; readonly lines: NamedWork['lines'] } | undefined {
  const at = words.findIndex((word) => runners.has(programName(word)))
  if (at < 0) return undefined
  const { plain, folder } = optionsOf(words.slice(at + 1), from)
  const name = nameOfScript(plain, runners.get(programName(words[at]!))!)
  if (name === undefined) return undefined
  const found = scriptsAbove(folder)
  if (found === undefined) return undefined
  const lines = [`pre${name}`, name, `post${name}`].flatMap((one): [string, string][] => {
    const line = found.scripts[one]
    return Object.hasOwn(found.scripts, one) && typeof line === 'string'
      ? [[`script "${one}" of package.json`, line]]
      : []
  })
  return { folder: found.folder, lines }
}

function nameOfScript(plain: Words, how: Runner): string | undefined {
  const [first = ''] = plain
  if (shortWords.has(first)) return first
  const run = plain.findIndex((word) => runWords.has(word))
  if (run >= 0) return plain[run + 1]
  return how === 'by name' && first !== '' ? first : undefined
}

/** Words that are no options, and the folder that one of these names. */
function optionsOf(words: Words, from: string): { readonly plain: Words; readonly folder: string } {
  const plain: string[] = []
  let folder = from
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const [, option = '', value] = /^(--?[\w-]+)=(.*)$/.exec(word) ?? []
    if (folderOptions.has(option)) folder = resolve(from, value!)
    else if (folderOptions.has(word)) folder = resolve(from, words[++at] ?? '')
    else if (!word.startsWith('-') || runWords.has(word)) plain.push(word)
  }
  return { plain, folder }
}

/** The scripts of the nearest `package.json` at or above a folder, as package managers look for it. */
function scriptsAbove(
  folder: string,
): { readonly folder: string; readonly scripts: { readonly [name: string]: unknown } } | undefined {
  const text = textOf(join(folder, 'package.json'))
  if (text === undefined) return dirname(folder) === folder ? undefined : scriptsAbove(dirname(folder))
  try {
    const read = JSON.parse(text) as JsonValue
    return isJsonObject(read) && isJsonObject(read.scripts) ? { folder, scripts: read.scripts } : undefined
  } catch {
    return undefined
  }
}

/** Bytes of a file that is read for what it says of scripts. */
const longestFile = 1_000_000

function textOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const found = statSync(path)
  return found.isFile() && found.size <= longestFile ? readFileSync(path, 'utf8') : undefined
}

/** Files that `python -m a.b` runs: those of the packages on the way, and the module or the package's `__main__`. */
function modulePaths(words: Words, { folder, env }: Place): readonly string[] {
  const at = words.findIndex((word) => /^(?:python|pypy)[\d.]*w?$/.test(programName(word)))
  const option = at < 0 ? -1 : words.findIndex((word, place) => place > at && /^-[A-Za-z]*m/.test(word))
  if (option < 0) return []
  const name = words[option]!.replace(/^-[A-Za-z]*?m/, '') || (words[option + 1] ?? '')
  if (!/^\w+(?:\.\w+)*$/.test(name)) return []
  const searched = [folder, ...(env.PYTHONPATH ?? '').split(delimiter).filter((one) => one !== '')]
  const parts = name.split('.')
  return searched.flatMap((root) => {
    const base = resolve(folder, root)
    return [
      ...parts.map((_, last) => join(base, ...parts.slice(0, last + 1), '__init__.py')),
      `${join(base, ...parts)}.py`,
      join(base, ...parts, '__main__.py'),
    ]
  })
}

/** Files that a program looks for by itself in its folder. */
const recipes: ReadonlyMap<string, Words> = new Map([
  ['make', ['GNUmakefile', 'makefile', 'Makefile']],
  ['just', ['justfile', 'Justfile', '.justfile']],
  ['task', ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml']],
  ['deno', ['deno.json', 'deno.jsonc']],
])

function recipePaths(words: Words, folder: string): readonly string[] {
  return words.flatMap((word, at) => {
    const looked = recipes.get(programName(word))
    if (looked === undefined) return []
    const option = words.findIndex((one, place) => place > at && (one === '-C' || one === '--directory'))
    const place = option < 0 ? folder : resolve(folder, words[option + 1] ?? '')
    return looked.map((file) => join(place, file))
  })
}

const programName = (word: string): string =>
  (isAbsolute(word) || /[\\/]/.test(word) ? basename(word) : word).replace(/\.(?:exe|cmd|bat)$/i, '')

/** Characters of a line that is looked through, and words of it. */
const longestLine = 10_000

/** The commands of a line for a shell, in words without their quotation marks. */
const commandsOf = (line: string): readonly Words[] =>
  line
    .slice(0, longestLine)
    .split(/[;&|\n()]+/)
    .map((command) =>
      command
        .split(/[\s'"`]+/)
        .filter((word) => word !== '')
        .map((word) => word.replace(/^[<>]+/, '')),
    )
    .filter((words) => words.length > 0)
