import { delimiter, join, relative, resolve } from 'node:path'
import { isJsonObject } from '../../domain/json.ts'
import { isFile } from '../../domain/paths.ts'
import { nodeFiles, packageOf, pythonFiles, shortText, upwards } from './module-files.ts'
import type { PackageScripts } from './package-scripts.ts'
import { pathsIn, programName, type ShellWords } from './shell-words.ts'

/** What a command line runs by a name that another file gives a meaning. */
export type NamedWork = {
  /** Lines of `package.json` that are run or decide what is, with what they are called. */
  readonly lines: PackageScripts['lines']
  /** Absolute, there or not. */
  readonly paths: readonly string[]
}

/** Where a line is run. */
export type RunPlace = {
  readonly folder: string
  readonly env: { readonly [name: string]: string | undefined }
}

export const listed = (folders = ''): ShellWords => folders.split(delimiter).filter((one) => one !== '')

/** Programs that start a file or folder as Node.js or Python do. */
const nodeLike = /^(?:node|nodejs|bun|tsx|ts-node(?:-esm)?|nodemon|electron|jiti)$/
const pythonLike = /^(?:(?:python|pypy)[\d.]*w?|uv)$/

/** Options that are followed by a module to load, or by what is no file to start. */
const loaders: ReadonlySet<string> = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '--preload',
])
const valued: ReadonlySet<string> = new Set([
  '-C',
  '--conditions',
  '-W',
  '-X',
  '--directory',
  '--project',
  '--cwd',
])

/** Files that an interpreter may start for a name that is none: with an ending, or within a folder, whose `package.json` names it. */
export const entriesOf = (words: ShellWords, folder: string): NamedWork => {
  const entries = words.flatMap((word, at) => {
    const isNode = nodeLike.test(programName(word))
    return isNode || pythonLike.test(programName(word))
      ? [entryAfter(words.slice(at + 1), { folder, isNode })]
      : []
  })
  return { lines: entries.flatMap(({ lines }) => lines), paths: entries.flatMap(({ paths }) => paths) }
}

function entryAfter(
  words: ShellWords,
  { folder, isNode }: { readonly folder: string; readonly isNode: boolean },
): NamedWork {
  const [lines, paths]: [[string, string][], string[]] = [[], []]
  for (let next = 0; next < words.length; next++) {
    const word = words[next]!
    const isLoader = loaders.has(word)
    if (valued.has(word) || isLoader) next++
    if (valued.has(word) || (word.startsWith('-') && !isLoader && !word.includes('='))) continue
    const places = pathsIn(isLoader ? (words[next] ?? '') : word).map((path) => resolve(folder, path))
    const files = places.flatMap(isNode ? nodeFiles : (place) => [join(place, '__main__.py')])
    paths.push(...files)
    for (const place of isNode ? places : []) {
      const main = packageOf(place)?.main
      if (typeof main === 'string')
        lines.push([`main of ${relative(folder, join(place, 'package.json'))}`, main])
    }
    if (!word.startsWith('-') && [...places, ...files].some(isFile)) break
  }
  return { lines, paths }
}

/** Files of the modules that `python -m a.b`, `uv run -m a.b`, `uvicorn a.b:app` and the commands of `pyproject.toml` run. */
export function modulePaths(words: ShellWords, { folder, env }: RunPlace): readonly string[] {
  const names = words.flatMap((word, at) => {
    if (/^(?:--module|-[A-Za-z]{0,9}m)$/.test(word)) return words.slice(at + 1, at + 2)
    return (
      /^-[A-Za-z]{0,9}m([\w.]{1,200})$/.exec(word)?.[1] ?? /^([\w.]{1,200}):\w{1,200}$/.exec(word)?.[1] ?? []
    )
  })
  const roots = [folder, ...listed(env.PYTHONPATH)].map((root) => resolve(folder, root))
  return [...names.flatMap((name) => moduleFiles(name, roots)), ...commandPaths(words, folder)]
}

const moduleFiles = (name: string, roots: readonly string[]): readonly string[] =>
  /^\w+(?:\.\w+)*$/.test(name)
    ? roots
        .flatMap((root) => [root, join(root, 'src')])
        .flatMap((root) => [...pythonFiles(root, name), join(root, ...name.split('.'), '__main__.py')])
    : []

const pythonRunners = /^(?:uvx?|pipx|poetry|pdm|hatch|rye)$/
const nodeRunners = /^(?:npx|npm|pnpx|pnpm|bunx|bun|yarn)$/

/** Files of the commands to which the nearest `pyproject.toml` or `package.json` gives names (`my-server = "my_server.cli:main"`). */
function commandPaths(words: ShellWords, folder: string): readonly string[] {
  const nearest = (file: string) => upwards(folder).find((one) => isFile(join(one, file)))
  const runs = (programs: RegExp) => words.some((word) => programs.test(programName(word)))
  const python = runs(pythonRunners) ? nearest('pyproject.toml') : undefined
  const node = runs(nodeRunners) ? nearest('package.json') : undefined
  return [
    ...(python === undefined ? [] : pythonCommand(words, python)),
    ...(node === undefined ? [] : nodeCommand(words, node)),
    ...(runs(nodeRunners)
      ? words.flatMap((word) => nodeCommand([...words, '*'], resolve(folder, word)))
      : []),
  ]
}

function pythonCommand(words: ShellWords, project: string): readonly string[] {
  const file = join(project, 'pyproject.toml')
  const commands = (shortText(file) ?? '').matchAll(
    /^["']?([\w.-]{1,200})["']?[ \t]{0,9}=[ \t]{0,9}["']([\w.]{1,200}):/gm,
  )
  return [...commands].flatMap(([, name = '', module = '']) =>
    words.includes(name) ? [file, ...moduleFiles(module, [project])] : [],
  )
}

/** @param words - with `*`: any command, since the package itself is named */
function nodeCommand(words: ShellWords, project: string): readonly string[] {
  const { name, bin } = packageOf(project) ?? {}
  const commands = typeof bin === 'string' ? { [`${String(name)}`.replace(/^.*\//s, '')]: bin } : bin
  if (!isJsonObject(commands)) return []
  return Object.entries(commands).flatMap(([command, file]) =>
    typeof file === 'string' && (words.includes(command) || words.includes('*'))
      ? nodeFiles(resolve(project, file))
      : [],
  )
}

/** Modules that options of Perl and Ruby load (`-Ilib -MMy::Module`, `-r./pre`), from the folders that these and variables name. */
export function libraryPaths(words: ShellWords, { folder, env }: RunPlace): readonly string[] {
  const after = (letter: string) =>
    words.flatMap((word, at) =>
      word === letter ? (words[at + 1] ?? []) : word.startsWith(letter) ? word.slice(2) : [],
    )
  const roots = [folder, ...after('-I'), ...listed(env.PERL5LIB), ...listed(env.RUBYLIB)]
  const names = [
    ...[...after('-M'), ...after('-m')].map(
      (name) => `${name.replace(/^-/, '').split(/[=\s]/, 1)[0]!.replaceAll('::', '/')}.pm`,
    ),
    ...after('-r').map((name) => `${name}.rb`),
  ]
  return roots.flatMap((root) => names.map((name) => resolve(folder, root, name)))
}
