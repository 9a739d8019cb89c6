import { basename, dirname, extname, join, resolve } from 'node:path'
import { contains, isFile, isFolder, realPath } from '../../domain/paths.ts'
import { compiledOf, nodeFiles, pythonFiles, upwards } from './module-files.ts'
import { workOfText } from './named-work.ts'

/** Files that are looked through, their characters, and the places that are looked at: of a greater project the rest is not known. */
const mostFiles = 300
const mostCharacters = { shell: 300_000, other: 5_000_000 }
const mostPlaces = 200_000
/** Folders beside a script in which Python may be told to look, and modules that a script names. */
const [mostBeside, mostModules] = [20, 10_000]

/** Where files that scripts load are looked for. */
export type LoadedFrom = {
  /** Text of a file that counts, or undefined: it is not there, or not one that counts. */
  readonly textOf: (path: string) => string | undefined
  /** The folder above which nothing counts. */
  readonly top: string
  /** Folders in which programs look besides those of the scripts: the working folder, those of `PYTHONPATH`. */
  readonly folders: readonly string[]
}

/**
 * Files that scripts load by a path of their own (`import './lib.js'`, `require('./x')`, `from .tool import run`, `import tool`, `. ./lib.sh`),
 * what their texts name in quotes (`'worker.js'`, `join(__dirname, 'lib', 'a')`, `import_module('tool')`), and what those load. Where a path may mean
 * several files, each that is there counts. A path that is put together in another way is not known, and packages are not looked for.
 *
 * @param scripts - absolute paths
 * @returns absolute paths, each once, without the scripts themselves
 */
export function loadedFiles(scripts: readonly string[], from: LoadedFrom): readonly string[] {
  const [seen, tried] = [new Set(scripts), new Set<string>()]
  const queue = [...scripts]
  const left = { ...mostCharacters }
  const isBounded = () => queue.length < mostFiles + scripts.length && tried.size < mostPlaces
  for (let at = 0; at < queue.length && isBounded(); at++) {
    const path = queue[at]!
    const language = languageOf(path, from.textOf(path)!)
    const kind = language === 'shell' ? 'shell' : 'other'
    const text = from.textOf(path)!.slice(0, left[kind])
    left[kind] -= text.length
    for (const named of namedIn({ path, text, language }, from)) {
      if (!isBounded()) break
      if (tried.has(named) || !tried.add(named) || !isFile(named)) continue
      const found = realPath(named)
      if (seen.has(found) || from.textOf(found) === undefined) continue
      seen.add(found)
      queue.push(found)
    }
  }
  return queue.slice(scripts.length, scripts.length + mostFiles)
}

type Language = 'script' | 'python' | 'shell' | 'other'
type Source = { readonly path: string; readonly text: string; readonly language: Language }

/** The first line of a script, for the program that it is for. */
const interpreterOf = (text: string): string =>
  text.startsWith('#!') ? text.slice(2, 500).split('\n')[0]! : ''

/** By the ending of a name, or by the program that a file is for. Files without an ending may be of Node.js. */
function languageOf(path: string, text: string): Language {
  const [ending, interpreter] = [extname(path), interpreterOf(text)]
  if (/^\.[cm]?[jt]sx?$/.test(ending)) return 'script'
  if (ending === '.py' || /\b(?:python|uv)/.test(interpreter)) return 'python'
  if (isShell(path) || /\b(?:[a-z]{0,4}sh|make|just)\b/.test(interpreter)) return 'shell'
  return ending === '' ? 'script' : 'other'
}

/** Files that a file may load. */
function namedIn({ path, text, language }: Source, from: LoadedFrom): readonly string[] {
  const above = upwards(dirname(path)).filter((folder) => contains({ folder: from.top, path: folder }))
  const bases = [...new Set([...above, ...from.folders])]
  const loaded = {
    script: () => [
      ...scriptImports(path, text),
      ...besideOf(path, text, /\b(?:__dirname|__filename|import\.meta\.\w{1,9})\b/g).flatMap((found) =>
        nodeFiles(found),
      ),
    ],
    python: () => {
      const beside = [...new Set(besideOf(path, text, /\b__file__\b/g))]
      const folders = beside.slice(0, mostBeside).filter(isFolder)
      return [...compiledOf(path), ...beside, ...pythonImports(path, text, [...bases, ...folders])]
    },
    shell: () => workOfText(text, bases),
    other: () => [],
  }
  const interpreter = interpreterOf(text)
  return [
    ...(interpreter === '' ? [] : workOfText(interpreter, from.folders)),
    ...quotedScripts(text).flatMap((name) =>
      [dirname(path), ...from.folders].map((base) => resolve(base, name)),
    ),
    ...loaded[language](),
  ]
}

/** Names of scripts that stand in quotes, whatever is done with them. */
const quotedScripts = (text: string): readonly string[] =>
  [...text.matchAll(/['"`]([\w./-]{1,200}\.(?:[cm]?[jt]sx?|py|sh))['"`]/g)].map(([, name = '']) => name)

/** Characters of a line, behind a name for the place of the file, in which parts of a path are looked for, and parts. */
const behind = { characters: 300, parts: 6 }

/** Paths that begin where the file lies: the names in quotes behind a mention of that place, one, two or more of them joined. */
function besideOf(path: string, text: string, place: RegExp): readonly string[] {
  return [...text.matchAll(place)].flatMap(({ index }) => {
    const rest = text.slice(index, index + behind.characters).split('\n', 1)[0]!
    const parts = [...rest.matchAll(/['"`]([\w./-]{1,200})['"`]/g)].map(([, part = '']) => part)
    return parts.slice(0, behind.parts).map((_, at) => join(dirname(path), ...parts.slice(0, at + 1)))
  })
}

function scriptImports(path: string, text: string): readonly string[] {
  const named = text.matchAll(
    /\b(?:from|import|require|URL|Worker|fork)\s{0,9}\(?\s{0,9}['"`](\.{1,2}(?:\/[^'"`\n]{0,300})?)['"`]/g,
  )
  return [...named].flatMap(([, name = '']) => nodeFiles(resolve(dirname(path), name)))
}

/** @param bases - folders in which Python may look for a module that is not named by dots */
function pythonImports(path: string, text: string, bases: readonly string[]): readonly string[] {
  const lines = text.matchAll(
    /(?:^|[;:])[ \t]{0,40}(?:from[ \t]{1,9}(\.{0,9})([\w.]{0,200})[ \t]{1,9}import[ \t]{0,9}(?:\(([^)]{0,4000})\)|([^#\n;]{1,500}))|import[ \t]{1,9}([^#\n;]{1,500}))/gm,
  )
  const called = text.matchAll(/\b(?:import_module|__import__)\s{0,9}\(\s{0,9}['"]\.{0,9}([\w.]{1,200})['"]/g)
  const byName = [...called]
    .slice(0, mostModules)
    .flatMap(([, name = '']) => bases.flatMap((base) => pythonFiles(base, name)))
  const byLine = [...lines]
    .slice(0, mostModules)
    .flatMap(([, dots = '', from = '', inside, beside = '', modules]) => {
      if (modules !== undefined)
        return namesOf(modules).flatMap((name) => bases.flatMap((base) => pythonFiles(base, name)))
      const up = dots.length > 1 ? '../'.repeat(dots.length - 1) : '.'
      const places = dots === '' ? bases : [resolve(dirname(path), up)]
      const names = namesOf((inside ?? beside).replace(/#[^\n]*/g, ''))
      return places.flatMap((base) => [
        ...pythonFiles(base, from),
        ...names.flatMap((name) => pythonFiles(join(base, ...from.split('.')), name)),
      ])
    })
  return [...byLine, ...byName]
}

/** Names before `as`, of a list. */
const namesOf = (text: string): readonly string[] =>
  text.split(',').flatMap((part) => /^\s{0,99}([\w.]+)/.exec(part)?.[1] ?? [])

/** Files whose lines name programs and files as a shell reads them. */
const isShell = (path: string): boolean =>
  /(?:\.(?:ba|z|k)?sh|\.mk|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml|makefile|justfile|taskfile\.ya?ml)$/i.test(
    basename(path),
  )
