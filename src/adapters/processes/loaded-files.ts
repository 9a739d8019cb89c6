import { extname, dirname, join, resolve } from 'node:path'

/** Files that are looked through, and all that they load: of a greater project the rest is not known. */
const mostFiles = 300

/** Text of a file that counts, or undefined: it is not there, or not one that counts. */
type Reader = (path: string) => string | undefined

/**
 * Files that scripts load by a path of their own (`import './lib.js'`, `require('./x')`, `from .tool import run`, `import tool` beside a
 * Python file), and what those load. Read as written: a path that is put together while it runs is not known, and packages are not looked for.
 *
 * @param scripts - absolute paths
 * @returns absolute paths, each once, without the scripts themselves
 */
export function loadedFiles(scripts: readonly string[], textOf: Reader): readonly string[] {
  const seen = new Set(scripts)
  const queue = [...scripts]
  for (let at = 0; at < queue.length && queue.length < mostFiles + scripts.length; at++) {
    const path = queue[at]!
    const text = textOf(path)
    if (text === undefined) continue
    for (const one of namedIn(path, text)) {
      const found = one.find((candidate) => seen.has(candidate) || textOf(candidate) !== undefined)
      if (found === undefined || seen.has(found)) continue
      seen.add(found)
      queue.push(found)
    }
  }
  return queue.slice(scripts.length, scripts.length + mostFiles)
}

/** For each thing that a file loads, the files that this may be, likeliest first. */
function namedIn(path: string, text: string): readonly (readonly string[])[] {
  const kind = extname(path)
  if (/^\.[cm]?[jt]sx?$/.test(kind)) return scriptImports(path, text)
  return kind === '.py' ? pythonImports(path, text) : []
}

const scriptEndings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '.jsx', '.tsx']

function scriptImports(path: string, text: string): readonly (readonly string[])[] {
  const named = text.matchAll(
    /\b(?:from|import|require)\s{0,9}\(?\s{0,9}['"`](\.{1,2}\/[^'"`\n]{1,300})['"`]/g,
  )
  return [...named].map(([, name = '']) => {
    const place = resolve(dirname(path), name)
    // Sources of TypeScript name the files that will be built of them.
    const source = place.replace(/\.([cm]?)js$/, '.$1ts')
    return [
      ...scriptEndings.map((ending) => `${place}${ending}`),
      ...(source === place ? [] : [source]),
      ...scriptEndings.slice(1).map((ending) => join(place, `index${ending}`)),
    ]
  })
}

function pythonImports(path: string, text: string): readonly (readonly string[])[] {
  const lines = text.matchAll(
    /^[ \t]{0,40}(?:from[ \t]{1,9}(\.{0,9})([\w.]{0,200})[ \t]{1,9}import[ \t]{1,9}\(?([^#\n]{0,500})|import[ \t]{1,9}([^#\n]{1,500}))/gm,
  )
  return [...lines].flatMap(([, dots = '', from = '', names = '', modules]) => {
    if (modules !== undefined)
      return modules.split(',').map((name) => moduleFiles(dirname(path), wordOf(name)))
    const up = dots.length > 1 ? '../'.repeat(dots.length - 1) : '.'
    const base = resolve(dirname(path), up)
    const inside = names
      .split(',')
      .map(wordOf)
      .filter((name) => name !== '')
      .map((name) => moduleFiles(base, from === '' ? name : `${from}.${name}`))
    return [...(from === '' ? [] : [moduleFiles(base, from)]), ...inside]
  })
}

/** A name before `as`. */
const wordOf = (text: string): string => /^\s*([\w.]+)/.exec(text)?.[1] ?? ''

const moduleFiles = (base: string, name: string): readonly string[] =>
  name === '' ? [] : [`${join(base, ...name.split('.'))}.py`, join(base, ...name.split('.'), '__init__.py')]
