import { readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { contains, isFolder } from '../../domain/paths.ts'
import { isJsonObject } from '../../domain/json.ts'
import { packageOf, shortText, upwards } from './module-files.ts'
import { programName, type ShellWords } from './shell-words.ts'

/** Lines of `package.json` by their names, and the folder in which they run. */
export type PackageScripts = {
  readonly folder: string
  readonly lines: readonly (readonly [name: string, line: string])[]
}

/** Programs that run scripts of `package.json`, and whether the name of one may follow by itself. */
const runners: ReadonlyMap<string, Runner> = new Map<string, Runner>([
  ['npm', 'by "run"'],
  ['node', 'by "run" alone'],
  ['deno', 'by "run" alone'],
  ['bun', 'by name'],
  ['pnpm', 'by name'],
  ['yarn', 'by name'],
])
type Runner = 'by "run"' | 'by "run" alone' | 'by name'

const runWords: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn', 'task', '--run'])
/** Words of npm that stand for scripts. */
const shortWords: ReadonlyMap<string, ShellWords> = new Map([
  ['start', ['start']],
  ['stop', ['stop']],
  ['restart', ['restart', 'stop', 'start']],
  ...['test', 'tst', 't'].map((word): [string, ShellWords] => [word, ['test']]),
])
/** Of options that are followed by the folder of the project. */
const folderOptions: ReadonlySet<string> = new Set(['--prefix', '-C', '--dir', '--cwd'])
/** Of options that are followed by a package of the project, or stand for all. */
const packageOptions: ReadonlySet<string> = new Set(['--workspace', '-w', '--filter', '-F'])
const allOptions: ReadonlySet<string> = new Set(['--workspaces', '-ws', '--recursive', '-r'])

/** The script of `package.json` that a line runs, in each package that it names, with those that run before and after it. */
export function packageScripts(words: ShellWords, from: string): readonly PackageScripts[] {
  const at = words.findIndex((word) => runners.has(programName(word)))
  if (at < 0) return []
  const program = programName(words[at]!)
  const { plain, folder, packages } = optionsOf(words.slice(at + 1), { from, program })
  const names = namesOfScript(plain, runners.get(program)!)
  const nearest = upwards(folder).find((one) => packageOf(one) !== undefined) ?? folder
  const chosen = packagesOf(folder, packages)
  return (chosen.length === 0 ? [nearest] : chosen).map((one) => ({
    folder: one,
    lines: scriptLines(one, names, join(relative(nearest, one), 'package.json').split(sep).join('/')),
  }))
}

function scriptLines(folder: string, names: ShellWords, file: string): PackageScripts['lines'] {
  const scripts = packageOf(folder)?.scripts
  if (!isJsonObject(scripts)) return []
  return names
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .flatMap((one): [string, string][] => {
      const line = Object.hasOwn(scripts, one) ? scripts[one] : undefined
      return typeof line === 'string' ? [[`script "${one}" of ${file}`, line]] : []
    })
}

/** Names that may be the script's: the first plain word, and the second, since the first may be the value of an option. */
function namesOfScript(plain: ShellWords, how: Runner): ShellWords {
  const run = plain.findIndex((word) => runWords.has(word))
  if (run >= 0) return plain.slice(run + 1, run + 3)
  if (how === 'by "run" alone') return []
  const first = plain.slice(0, 2)
  return how === 'by name' ? first : first.flatMap((word) => shortWords.get(word) ?? [])
}

/** Words that are no options, the folder that one of these names, and the packages: names, folders, or `*` for all. */
function optionsOf(
  words: ShellWords,
  { from, program }: { readonly from: string; readonly program: string },
) {
  const plain: string[] = []
  const packages: string[] = []
  let folder = from
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const [, option = word, value] = /^(--?[\w-]{1,99})=(.*)$/s.exec(word) ?? []
    const next = () => value ?? words[++at] ?? ''
    if (folderOptions.has(option)) folder = resolve(from, next())
    else if (allOptions.has(option) || (program === 'pnpm' && option === '-w')) packages.push('*')
    else if (packageOptions.has(option)) packages.push(next())
    else if (program === 'yarn' && plain.length === 0 && word === 'workspace') packages.push(next())
    else if (program === 'yarn' && plain.length === 0 && word === 'workspaces') packages.push('*')
    else if (!word.startsWith('-') || runWords.has(word)) plain.push(word)
  }
  return { plain, folder, packages }
}

/** Packages of a project that are looked at. */
const mostPackages = 100

/** Folders of the packages that are named by their names or folders, of those that `package.json` or pnpm's file lists at or above a folder. */
function packagesOf(from: string, named: ShellWords): readonly string[] {
  if (named.length === 0) return []
  const listed = upwards(from).flatMap((root) =>
    listedIn(root).flatMap((pattern) => [...foldersBy(root, pattern.split('/')), root]),
  )
  const isNamed = (folder: string): boolean =>
    named.some(
      (one) =>
        /[*{[^]|\.\.\./.test(one) ||
        contains({ folder: resolve(from, one), path: folder }) ||
        packageOf(folder)?.name === one,
    )
  const folders = [
    ...named.map((one) => resolve(from, one)),
    ...listed.slice(0, mostPackages).filter(isNamed),
  ]
  return [...new Set(folders)].filter((folder) => packageOf(folder) !== undefined)
}

/** Patterns of folders that a root lists as packages. */
function listedIn(root: string): ShellWords {
  const { workspaces } = packageOf(root) ?? {}
  const listed = isJsonObject(workspaces) ? workspaces.packages : workspaces
  const own = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : []
  const inYaml = shortText(join(root, 'pnpm-workspace.yaml'))?.matchAll(
    /^\s{0,99}-\s{1,99}['"]?([^'"#\n]+)/gm,
  )
  return [...own, ...[...(inYaml ?? [])].map(([, pattern = '']) => pattern.trim())]
}

/** Folders by a pattern in which `*` is any name, and `**` too. */
function foldersBy(root: string, pattern: ShellWords): ShellWords {
  let folders: ShellWords = [root]
  for (const part of pattern)
    folders = folders
      .flatMap((folder) => {
        if (!part.includes('*')) return [join(folder, part)]
        const names = isFolder(folder) ? readdirSync(folder).filter((name) => name !== 'node_modules') : []
        return names.map((name) => join(folder, name)).filter(isFolder)
      })
      .slice(0, mostPackages)
  return folders
}
