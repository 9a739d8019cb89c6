import { basename, join, resolve } from 'node:path'
import { pythonFiles, upwards } from './module-files.ts'
import {
  type NamedWork,
  type RunPlace,
  entriesOf,
  libraryPaths,
  listed,
  modulePaths,
} from './interpreter-files.ts'
import { packageScripts } from './package-scripts.ts'
import {
  commandsOf,
  foldersOf,
  pathsIn,
  programName,
  withoutVariables,
  type ShellWords,
} from './shell-words.ts'

/** Folders in which a line may be run, and what its variables say. */
type Places = Pick<RunPlace, 'env'> & { readonly folders: readonly string[] }

/** Lines that are looked at, of those that start further ones. */
const mostLines = 100

/**
 * What the words of a command line and its variables stand for: files, scripts of `package.json` (`npm run serve`), modules (`python -m tool`), what
 * an interpreter makes of a folder or of a name without its ending, the files in which programs look by themselves, and the words of a
 * line that a shell is handed (`sh -c "…"`). What a shell or a program makes of variables is not known here, but for those that a line sets itself.
 *
 * @returns with the folders in which programs look for what they load
 */
export function namedWork(words: ShellWords, { folder, env }: RunPlace) {
  const { lines, named, paths } = workOf(words, { folders: [folder], env }, new Set())
  return {
    lines: [...new Map(lines.map((line) => [line.join('\0'), line])).values()],
    paths: [...named, ...paths, ...variablePaths(folder, env)],
    folders: [folder, ...listed(env.PYTHONPATH).map((one) => resolve(folder, one))],
  }
}

/**
 * What the lines of a shell's file stand for, when they are run in one of these folders: of files that its words name, only those that are
 * named as programs are. Where it runs scripts of `package.json`, that file counts.
 */
export function workOfText(text: string, folders: readonly string[]): readonly string[] {
  const { lines, named, paths } = linesOf([{ line: text, folders }], { folders, env: {} }, new Set())
  const packages = lines.length === 0 ? [] : folders.map((folder) => join(folder, 'package.json'))
  return [...named.filter(isScriptName), ...paths, ...packages]
}

/** A path, or a name that ends like a program's; no document. */
const isScriptName = (path: string): boolean =>
  /\.(?:(?:ba|z|k)?sh|[cm]?[jt]sx?|py|pl|rb|lua|php|mk)$/i.test(path) || !basename(path).includes('.')

/** What is known of lines: of `paths` apart the files that their words name. */
type Work = NamedWork & { readonly named: readonly string[] }

/** @param seen - lines that were looked at, with their folders: each is looked at once */
function workOf(words: ShellWords, from: Places, seen: Set<string>): Work {
  const places = foldersOf(words, from.folders)
  const scripts = from.folders.flatMap((folder) => packageScripts(words, folder))
  const further = linesOf(
    [
      ...scripts.flatMap(({ folder, lines }) => lines.map(([, line]) => ({ line, folders: [folder] }))),
      ...words.filter((word) => /\s/.test(word)).map((line) => ({ line, folders: places })),
    ],
    from,
    seen,
  )
  const entries = places.map((folder) => entriesOf(words, folder))
  return {
    lines: [...scripts, ...entries, further].flatMap((one) => one.lines),
    named: [
      ...places.flatMap((folder) => words.flatMap(pathsIn).map((path) => resolve(folder, path))),
      ...further.named,
    ],
    paths: [
      ...places.flatMap((folder) => ledTo(words, { folder, env: from.env })),
      ...[...entries, further].flatMap(({ paths }) => paths),
    ],
  }
}

type Line = { readonly line: string; readonly folders: readonly string[] }

function linesOf(lines: readonly Line[], from: Places, seen: Set<string>): Work {
  const fresh = lines.filter(({ line, folders }) => {
    const key = `${folders.join('\0')}\0${line}`
    return !seen.has(key) && seen.size < mostLines && seen.add(key)
  })
  const works = fresh.flatMap(({ line, folders }) => {
    return withoutVariables(line).flatMap((one) => {
      let steps: ShellWords = folders
      return commandsOf(one).map((command) => {
        steps = foldersOf(command, steps)
        return workOf(command, { ...from, folders: steps }, seen)
      })
    })
  })
  return {
    lines: works.flatMap((one) => one.lines),
    named: works.flatMap((one) => one.named),
    paths: works.flatMap((one) => one.paths),
  }
}

/** Files that the words of one command lead to in a folder, without being named. */
const ledTo = (words: ShellWords, place: RunPlace): readonly string[] => [
  ...modulePaths(words, place),
  ...libraryPaths(words, place),
  ...settingsPaths(words, place.folder),
]

/** Files that variables name, and what interpreters load for them. */
function variablePaths(folder: string, env: RunPlace['env']): readonly string[] {
  const wordsOf = (name: string): ShellWords =>
    (env[name] ?? '').split(/[\s"']+/).filter((word) => word !== '')
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
const compose = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml']
const make = ['GNUmakefile', 'makefile', 'Makefile']

/** Files that a program looks for by itself in its folder and those above, which may say what it runs. */
const settings: ReadonlyMap<string, ShellWords> = new Map([
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
  ['pdm', ['pyproject.toml']],
  ['rye', ['pyproject.toml']],
  ['hatch', ['pyproject.toml', 'hatch.toml']],
  ['pixi', ['pixi.toml', 'pyproject.toml']],
  ['pipenv', ['Pipfile']],
  ['fastmcp', ['fastmcp.json']],
  ['mise', ['mise.toml', '.mise.toml']],
  ['direnv', ['.envrc']],
  ['nix', ['flake.nix', 'flake.lock']],
  ['cargo', ['Cargo.toml', '.cargo/config.toml', 'build.rs', 'src/main.rs']],
  ['rake', ['Rakefile']],
  ['docker', compose],
  ['docker-compose', compose],
  ['tsx', ['tsconfig.json']],
  ['ts-node', ['tsconfig.json']],
  ['deno', ['deno.json', 'deno.jsonc']],
  ['make', make],
  ['gmake', make],
  ['just', ['justfile', 'Justfile', '.justfile']],
  ['task', ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml']],
])

function settingsPaths(words: ShellWords, folder: string): readonly string[] {
  const names = words.flatMap((word) => settings.get(programName(word)) ?? [])
  return names.flatMap((name) =>
    (make.includes(name) ? [folder] : upwards(folder)).map((one) => join(one, name)),
  )
}
