import { homedir } from 'node:os'
import { basename, sep } from 'node:path'
import type { Environment } from '../../domain/environment.ts'

/** What variables are filled in from. */
export type VariableSources = {
  /** Where they are looked up; a program gets its PATH and its like from there too. */
  readonly environment: Environment
  /** Absolute folder of the bundled catalog: the value of `${AUDITION_CATALOG}`. */
  readonly catalogFolder: string
}

/** A reference that nothing can be put in place of. */
export type Unfilled =
  | { readonly kind: 'unset'; readonly variable: string }
  /** VS Code's `${input:name}`, and the variable that may stand for it. */
  | { readonly kind: 'input'; readonly input: string; readonly variable: string }
  /** Something only the host that defined it can fill in, for example `${command:pick}`. */
  | { readonly kind: 'foreign'; readonly reference: string }

/** Fills in variables, and remembers what came out of them. */
export type VariableFiller = {
  /** @throws what `refuse` made of a reference that cannot be filled in */
  expand(text: string): string
  expandAll(texts: { readonly [name: string]: string }): { readonly [name: string]: string }
  /** Names and values that were put in, places of the machine left out; grows with every call. */
  readonly substituted: readonly (readonly [variable: string, value: string])[]
}

/**
 * Fills in the variables of an entry as hosts do: `${NAME}`, `${NAME:-default}` (also when empty), `${env:NAME}`,
 * `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}`, `${/}`, and Audition's own
 * `${AUDITION_CATALOG}`. VS Code asks a person for `${input:name}`; here it is read from `AUDITION_INPUT_NAME`.
 * What comes out of a variable is not expanded again. Other uses of `${` stay as they are.
 */
export function variableFiller({
  environment,
  catalogFolder,
  folder,
  refuse,
}: VariableSources & {
  /** Value of `${workspaceFolder}`. */
  readonly folder: string
  readonly refuse: (unfilled: Unfilled) => Error
}): VariableFiller {
  const substituted: (readonly [string, string])[] = []
  const places: Environment = {
    AUDITION_CATALOG: catalogFolder,
    workspaceFolder: folder,
    workspaceFolderBasename: basename(folder),
    userHome: environment.HOME ?? environment.USERPROFILE ?? homedir(),
    pathSeparator: sep,
    '/': sep,
  }
  const lookUp = (name: string): string | undefined => {
    const place = places[name]
    if (place !== undefined) return place
    const value = environment[name]
    if (value !== undefined && value !== '') substituted.push([name, value])
    return value
  }
  const expand = (text: string): string => expandText(text, lookUp, refuse)
  return {
    expand,
    expandAll: (texts) =>
      Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, expand(value)])),
    substituted,
  }
}

type LookUp = (name: string) => string | undefined
type Refuse = (unfilled: Unfilled) => Error

function expandText(text: string, lookUp: LookUp, refuse: Refuse): string {
  let expanded = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('${', at)
    const end = start < 0 ? -1 : closingBrace(text, start + 2)
    if (end < 0) return expanded + text.slice(at)
    const reference = text.slice(start + 2, end)
    expanded +=
      text.slice(at, start) + (valueOfReference(reference, lookUp, refuse) ?? text.slice(start, end + 1))
    at = end + 1
  }
}

/** Index of the brace that closes the one opened just before `from`, or -1. */
function closingBrace(text: string, from: number): number {
  let depth = 1
  for (let index = from; index < text.length; index++) {
    if (text[index] === '{' && text[index - 1] === '$') depth++
    else if (text[index] === '}' && --depth === 0) return index
  }
  return -1
}

/** The value of what stands between `${` and `}`, or undefined when it is no variable at all. */
function valueOfReference(reference: string, lookUp: LookUp, refuse: Refuse): string | undefined {
  if (reference === '/') return lookUp('/')
  const withDefault = /^(?:env:)?([A-Za-z_]\w*):-([\s\S]*)$/.exec(reference)
  if (withDefault) return lookUp(withDefault[1]!) || expandText(withDefault[2]!, lookUp, refuse)
  const input = /^input:(.+)$/.exec(reference)?.[1]
  const variable =
    input === undefined ? /^(?:env:)?([A-Za-z_]\w*)$/.exec(reference)?.[1] : inputVariable(input)
  if (variable === undefined) {
    if (!/^[A-Za-z]+:/.test(reference)) return undefined
    throw refuse({ kind: 'foreign', reference })
  }
  const value = lookUp(variable)
  if (value !== undefined) return value
  throw refuse(input === undefined ? { kind: 'unset', variable } : { kind: 'input', input, variable })
}

const inputVariable = (input: string): string => `AUDITION_INPUT_${input.toUpperCase().replace(/\W+/g, '_')}`

/** What a program needs to run at all. None of it is secret; everything else of our environment stays with us. */
const needed = {
  posix: [
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'TERM',
    'TMPDIR',
    'TEMP',
    'TMP',
    'TZ',
    'LANG',
    'LANGUAGE',
  ],
  windows: [
    'PATH',
    'PATHEXT',
    'COMSPEC',
    'SYSTEMROOT',
    'SYSTEMDRIVE',
    'WINDIR',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'HOMEDRIVE',
    'HOMEPATH',
    'APPDATA',
    'LOCALAPPDATA',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'PROGRAMW6432',
    'PROCESSOR_ARCHITECTURE',
    'NUMBER_OF_PROCESSORS',
    'LANG',
    'TZ',
  ],
}

/**
 * The environment of a server's process: the few variables any program needs, and the entry's own on top, which
 * win. Exported shell functions are left out. Names are compared without case on Windows, as Windows does.
 */
export function childEnvironment(
  own: { readonly [name: string]: string },
  ours: Environment,
  platform: NodeJS.Platform,
): Record<string, string> {
  const isWindows = platform === 'win32'
  const fold = (name: string) => (isWindows ? name.toUpperCase() : name)
  const names = new Set(isWindows ? needed.windows : needed.posix)
  const overridden = new Set(Object.keys(own).map(fold))
  const inherited = Object.entries(ours).filter(
    (variable): variable is [string, string] =>
      (names.has(fold(variable[0])) || variable[0].startsWith('LC_')) &&
      !overridden.has(fold(variable[0])) &&
      variable[1] !== undefined &&
      !variable[1].startsWith('()'),
  )
  return { ...Object.fromEntries(inherited), ...own }
}
