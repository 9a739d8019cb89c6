import { basename, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export type ShellWords = readonly string[]

/** Characters of a line, or of a shell's file, that are looked through, and commands. */
const longestLine = 100_000
const mostCommands = 1_000

/** The commands of a line for a shell, in words without their quotation marks. */
export const commandsOf = (line: string): readonly ShellWords[] =>
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
    .slice(0, mostCommands)

/** Values of one variable that are tried. */
const mostValues = 4

/**
 * A line with the variables that it sets itself in their places, and without all others: `$PWD/x.py` and `$(dirname "$0")/x.py` are `x.py`,
 * which is looked for in every folder in which the line may be run. Where a variable is set several times, a line for each of its values.
 */
export function withoutVariables(whole: string): readonly string[] {
  const line = whole.slice(0, longestLine).replaceAll('$(MAKE)', 'make')
  const values = new Map<string, string[]>()
  for (const [, name = '', value = ''] of line.matchAll(
    /(?:^|[\s;&])([A-Za-z_]\w{0,99})=["']?([\w./-]{1,300})/g,
  ))
    values.set(name, [value, ...(values.get(name) ?? [])].slice(0, mostValues))
  const most = Math.max(1, ...[...values.values()].map(({ length }) => length))
  const lines = Array.from({ length: most }, (_, at) =>
    line.replace(
      /\$(\{[^}\n]{1,99}\}|\([^)\n]{0,99}\)|\w{1,99})(\/{0,9})/g,
      (_found, said: string, slashes: string) => {
        const set = values.get(/\w+/.exec(said)?.[0] ?? '') ?? []
        const value = set[Math.min(at, set.length - 1)]
        return value === undefined ? '' : value + slashes
      },
    ),
  )
  return [...new Set(lines)]
}

export const programName = (word: string): string =>
  (isAbsolute(word) || /[\\/]/.test(word) ? basename(word) : word).replace(/\.(?:exe|cmd|bat)$/i, '')

/** Letters of a word that may be short options before their value: `-sfx.mk`. */
const mostShort = 4

/**
 * Paths that a word may say: itself, the value of an option or variable (`--import=./x`, `-f./x`, `A=--require=./x`), a file
 * address, a file before the name of something in it (`server.py:app`).
 */
export function pathsIn(word: string): readonly string[] {
  const values = [word]
  for (let rest = word; /^-{0,2}\w[\w-]{0,99}=/.test(rest); values.push(rest))
    rest = rest.slice(rest.indexOf('=') + 1)
  const glued = /^-\w/.test(word)
    ? Array.from({ length: mostShort }, (_, at) => word.slice(at + 2)).filter((one) => one !== '')
    : []
  return [...values, ...glued].flatMap((value) =>
    value.startsWith('-') ? [] : [ofAddress(value), ...beforeName(value)],
  )
}

function ofAddress(value: string): string {
  if (!value.startsWith('file:')) return value
  try {
    return fileURLToPath(value)
  } catch {
    return value
  }
}

const beforeName = (value: string): ShellWords => (/\.py:\w/.test(value) ? [value.split(':', 1)[0]!] : [])

/** Folders in which a line may be run; more are not looked at. */
const mostFolders = 8

/** Options of package managers, `make`, `env` and others that are followed by a folder in which to work. */
const folderOptions: ReadonlySet<string> = new Set([
  '--prefix',
  '-C',
  '--dir',
  '--cwd',
  '--directory',
  '--chdir',
  '--working-directory',
  '--project',
  '--from',
  '-d',
])

/** The folders in which a command may run what it names: those that it is run in, and those that it or `cd` goes to. */
export function foldersOf(words: ShellWords, from: readonly string[]): readonly string[] {
  const named = words.flatMap((word, at) => {
    const [, option = '', value = ''] = /^(--?[\w-]{1,30})=(.*)$/s.exec(word) ?? []
    if (folderOptions.has(option)) return [value]
    if (/^-C./.test(word)) return [word.slice(2)]
    const isStep = folderOptions.has(word) || (at === 0 && /^(?:cd|pushd)$/.test(word))
    return isStep
      ? words
          .slice(at + 1)
          .filter((one) => one !== '--')
          .slice(0, 1)
      : []
  })
  const all = new Set(from)
  for (const one of named) for (const base of [...all]) all.add(resolve(base, one))
  return [...all].slice(0, mostFolders)
}
