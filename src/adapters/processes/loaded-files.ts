import { basename, dirname, extname, join, resolve } from 'node:path'
import { contains, isFile, realPath } from '../../domain/paths.ts'
import { nodeFiles, pythonFiles, upwards } from './module-files.ts'
import { commandsOf, foldersOf, pathsIn } from './shell-words.ts'

/** Files that are looked through, and all that they load: of a greater project the rest is not known. */
const mostFiles = 300

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
 * and what those load. Where a path may mean several files, each that is there counts. Read as written: a path that is put together
 * while it runs is not known, and packages are not looked for.
 *
 * @param scripts - absolute paths
 * @returns absolute paths, each once, without the scripts themselves
 */
export function loadedFiles(scripts: readonly string[], from: LoadedFrom): readonly string[] {
  const [seen, tried] = [new Set(scripts), new Set<string>()]
  const queue = [...scripts]
  for (let at = 0; at < queue.length && queue.length < mostFiles + scripts.length; at++) {
    const text = from.textOf(queue[at]!)
    if (text === undefined) continue
    for (const path of namedIn(queue[at]!, text, from)) {
      if (tried.has(path) || !tried.add(path) || !isFile(path)) continue
      const found = realPath(path)
      if (seen.has(found) || from.textOf(found) === undefined) continue
      seen.add(found)
      queue.push(found)
    }
  }
  return queue.slice(scripts.length, scripts.length + mostFiles)
}

/** Files that a file may load. */
function namedIn(path: string, text: string, from: LoadedFrom): readonly string[] {
  const kind = extname(path)
  const interpreter = text.startsWith('#!') ? text.slice(2, 500).split('\n')[0]! : ''
  const bases = () => [
    ...upwards(dirname(path)).filter((folder) => contains({ folder: from.top, path: folder })),
    ...from.folders,
  ]
  const started = interpreter === '' ? [] : inShell(interpreter, from.folders)
  if (/^\.[cm]?[jt]sx?$/.test(kind)) return [...started, ...scriptImports(path, text)]
  if (kind === '.py' || /\bpython/.test(interpreter))
    return [...started, ...pythonImports(path, text, bases())]
  return isShell(path) || /\b(?:[a-z]{0,4}sh|make|just)\b/.test(interpreter)
    ? [...started, ...inShell(text, bases())]
    : started
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
  return [...lines].flatMap(([, dots = '', from = '', inside, beside = '', modules]) => {
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
}

/** Names before `as`, of a list. */
const namesOf = (text: string): readonly string[] =>
  text.split(',').flatMap((part) => /^\s{0,99}([\w.]+)/.exec(part)?.[1] ?? [])

/** Files whose lines name programs and files as a shell reads them. */
const isShell = (path: string): boolean =>
  /(?:\.(?:ba|z|k)?sh|\.mk|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml|makefile|justfile|taskfile\.ya?ml)$/i.test(
    basename(path),
  )

/** Characters and words of a shell's file that are looked through. */
const longestShell = 100_000
const mostWords = 2_000

/** Scripts that the lines of a shell name, without the variable that a path begins with. */
function inShell(text: string, bases: readonly string[]): readonly string[] {
  let folders = bases
  const words = commandsOf(text, longestShell).flatMap((command) => {
    folders = foldersOf(command, folders)
    return command.flatMap(pathsIn)
  })
  return words
    .filter(isScriptName)
    .slice(0, mostWords)
    .flatMap((word) => {
      const plain = word.replace(/^\$(?:\{[^}]{0,99}\}|\w{1,99})/, '').replace(/^\/+/, '')
      return folders.flatMap((folder) => [resolve(folder, plain), resolve(folder, word)])
    })
}

/** A path, or a name that ends like a program's; no document. */
const isScriptName = (word: string): boolean =>
  /\.(?:(?:ba|z|k)?sh|[cm]?[jt]sx?|py|pl|rb|lua|php|mk)$/i.test(word) || /\/[^./]{1,99}$/.test(word)
