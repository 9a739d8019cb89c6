import { delimiter, join, relative, resolve } from 'node:path'
import { isFile } from '../../domain/paths.ts'
import { nodeFiles, packageOf, pythonFiles, shortText, upwards } from './module-files.ts'
import { type PackageScripts, packageScripts } from './package-scripts.ts'
import { commandsOf, foldersOf, pathsIn, programName, type Words } from './shell-words.ts'

/** What a command line runs by a name that another file gives a meaning. */
type NamedWork = {
  /** Lines of `package.json` that are run, with what they are called. */
  readonly lines: PackageScripts['lines']
  /** Files that the words name or lead to, and those that the lines do; absolute, there or not. */
  readonly paths: readonly string[]
}

/** Where a line is run. */
type Place = { readonly folder: string; readonly env: { readonly [name: string]: string | undefined } }

/** Folders in which a line may be run, and what its variables say. */
type Places = Pick<Place, 'env'> & { readonly folders: readonly string[] }

/** Lines that are looked at, of those that start further ones. */
const mostLines = 100

/**
 * What the words of a command line and its variables stand for: files, scripts of `package.json` (`npm run serve`), modules (`python -m tool`), what
 * an interpreter makes of a folder or of a name without its ending, the files in which programs look by themselves, and the words of a
 * line that a shell is handed (`sh -c "…"`). Read as written: what a shell or a program makes of variables is not known here.
 *
 * @returns with the folders in which programs look for what they load
 */
export function namedWork(words: Words, { folder, env }: Place) {
  const { lines, paths } = workOf(words, { folders: [folder], env }, new Set())
  const folders = [folder, ...listed(env.PYTHONPATH).map((one) => resolve(folder, one))]
  return { lines, folders, paths: [...paths, ...variablePaths(folder, env)] }
}

/** @param seen - lines that were looked at, with their folders: each is looked at once */
function workOf(words: Words, from: Places, seen: Set<string>): NamedWork {
  const places = foldersOf(words, from.folders)
  const scripts = from.folders.flatMap((folder) => packageScripts(words, folder))
  const within = [
    ...scripts.flatMap(({ folder, lines }) => lines.map(([, line]) => ({ line, folders: [folder] }))),
    ...words.filter((word) => /\s/.test(word)).map((line) => ({ line, folders: places })),
  ].filter(({ line, folders }) => {
    const key = `${folders.join('\0')}\0${line}`
    return !seen.has(key) && seen.size < mostLines && seen.add(key)
  })
  const further = within.flatMap(({ line, folders }) => {
    let steps: Words = folders
    return commandsOf(line).map((command) => {
      steps = foldersOf(command, steps)
      return workOf(command, { ...from, folders: steps }, seen)
    })
  })
  const entries = places.map((folder) => entriesOf(words, folder))
  const lines = [...scripts, ...entries, ...further].flatMap((one) => one.lines)
  return {
    lines: [...new Map(lines.map((line) => [line.join('\0'), line])).values()],
    paths: [
      ...places.flatMap((folder) => namedIn(words, { folder, env: from.env })),
      ...[...entries, ...further].flatMap(({ paths }) => paths),
    ],
  }
}

/** Files that the words of one command lead to in a folder. */
const namedIn = (words: Words, place: Place): readonly string[] => [
  ...words.flatMap(pathsIn).map((path) => resolve(place.folder, path)),
  ...modulePaths(words, place),
  ...libraryPaths(words, place),
  ...settingsPaths(words, place.folder),
]

const listed = (folders = ''): Words => folders.split(delimiter).filter((one) => one !== '')

/** Programs that start a file or folder as Node.js or Python do. */
const nodeLike = /^(?:node|nodejs|bun|tsx|ts-node(?:-esm)?|nodemon|electron|jiti)$/
const python = /^(?:python|pypy)[\d.]*w?$/
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
function entriesOf(words: Words, folder: string): NamedWork {
  const at = words.findIndex((word) => nodeLike.test(programName(word)) || pythonLike.test(programName(word)))
  if (at < 0) return { lines: [], paths: [] }
  const isNode = nodeLike.test(programName(words[at]!))
  const [lines, paths]: [[string, string][], string[]] = [[], []]
  for (let next = at + 1; next < words.length; next++) {
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

/** Files of the modules that `python -m a.b`, `uvicorn a.b:app` and the commands of `pyproject.toml` run. */
function modulePaths(words: Words, { folder, env }: Place): readonly string[] {
  const at = words.findIndex((word) => python.test(programName(word)))
  const option = at < 0 ? -1 : words.findIndex((word, place) => place > at && /^-[A-Za-z]*m/.test(word))
  const module = option < 0 ? '' : words[option]!.replace(/^-[A-Za-z]*?m/, '') || (words[option + 1] ?? '')
  const names = [module, ...words.flatMap((word) => /^([\w.]{1,200}):\w{1,200}$/.exec(word)?.[1] ?? [])]
  const own = [folder, ...listed(env.PYTHONPATH)].map((root) => resolve(folder, root))
  return [
    ...names.flatMap((name) => moduleFiles(name, own)),
    ...(words.some((word) => /^(?:uv|poetry|pdm|hatch|rye)$/.test(programName(word)))
      ? commandPaths(words, folder)
      : []),
  ]
}

const moduleFiles = (name: string, roots: readonly string[]): readonly string[] =>
  /^\w+(?:\.\w+)*$/.test(name)
    ? roots
        .flatMap((root) => [root, join(root, 'src')])
        .flatMap((root) => [...pythonFiles(root, name), join(root, ...name.split('.'), '__main__.py')])
    : []

/** Files of the commands that the nearest `pyproject.toml` gives names to (`my-server = "my_server.cli:main"`). */
function commandPaths(words: Words, folder: string): readonly string[] {
  const project = upwards(folder).find((one) => isFile(join(one, 'pyproject.toml')))
  if (project === undefined) return []
  const commands = (shortText(join(project, 'pyproject.toml')) ?? '').matchAll(
    /^["']?([\w.-]{1,200})["']?[ \t]{0,9}=[ \t]{0,9}["']([\w.]{1,200}):/gm,
  )
  return [...commands].flatMap(([, name = '', module = '']) =>
    words.includes(name) ? moduleFiles(module, [project]) : [],
  )
}

/** Modules that options of Perl and Ruby load (`-Ilib -MMy::Module`, `-r./pre`), from the folders that these and variables name. */
function libraryPaths(words: Words, { folder, env }: Place): readonly string[] {
  const after = (letter: string) =>
    words.flatMap((word, at) =>
      word === letter ? (words[at + 1] ?? []) : word.startsWith(letter) ? word.slice(2) : [],
    )
  const roots = [folder, ...after('-I'), ...listed(env.PERL5LIB), ...listed(env.RUBYLIB)]
  const names = [
    ...[...after('-M'), ...after('-m')].map(
      (name) => `${name.replace(/^-|[=\s].*$/gs, '').replaceAll('::', '/')}.pm`,
    ),
    ...after('-r').map((name) => `${name}.rb`),
  ]
  return roots.flatMap((root) => names.map((name) => resolve(folder, root, name)))
}

/** Files that variables name, and what interpreters load for them. */
function variablePaths(folder: string, env: Place['env']): readonly string[] {
  const wordsOf = (name: string): Words => (env[name] ?? '').split(/[\s"']+/).filter((word) => word !== '')
  return [
    ...Object.values(env)
      .flatMap((value = '') => [...value.split(/[\s"']+/), ...listed(value)])
      .flatMap(pathsIn)
      .map((path) => resolve(folder, path)),
    ...entriesOf(['node', ...wordsOf('NODE_OPTIONS')], folder).paths,
    ...libraryPaths([...wordsOf('PERL5OPT'), ...wordsOf('RUBYOPT')], { folder, env }),
    ...listed(env.PYTHONPATH).flatMap((root) =>
      ['sitecustomize', 'usercustomize'].flatMap((name) => pythonFiles(resolve(folder, root), name)),
    ),
  ]
}

const npm = ['.npmrc']
const pnpm = [...npm, 'pnpm-workspace.yaml', '.pnpmfile.cjs']
const bun = [...npm, 'bunfig.toml']
const make = ['GNUmakefile', 'makefile', 'Makefile']

/** Files that a program looks for by itself in its folder and those above, which may say what it runs. */
const settings: ReadonlyMap<string, Words> = new Map([
  ...([
    ['npm', npm],
    ['npx', npm],
    ['pnpm', pnpm],
    ['pnpx', pnpm],
    ['bun', bun],
    ['bunx', bun],
  ] as const),
  ['yarn', [...npm, '.yarnrc', '.yarnrc.yml']],
  ['uv', ['pyproject.toml', 'uv.toml']],
  ['uvx', ['uv.toml']],
  ['poetry', ['pyproject.toml', 'poetry.toml']],
  ['tsx', ['tsconfig.json']],
  ['ts-node', ['tsconfig.json']],
  ['deno', ['deno.json', 'deno.jsonc']],
  ['make', make],
  ['gmake', make],
  ['just', ['justfile', 'Justfile', '.justfile']],
  ['task', ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml']],
])

function settingsPaths(words: Words, folder: string): readonly string[] {
  const names = words.flatMap((word) => settings.get(programName(word)) ?? [])
  return names.flatMap((name) =>
    (make.includes(name) ? [folder] : upwards(folder)).map((one) => join(one, name)),
  )
}
