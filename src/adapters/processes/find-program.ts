import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path'

/** Where systems look without a PATH. */
const defaultPath = '/usr/local/bin:/usr/bin:/bin'

/**
 * The file that a command starts, as the operating system would look for it.
 *
 * @returns its absolute path; undefined when there is none that may be executed
 */
export function findProgram(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): string | undefined {
  if (process.platform === 'win32') return windowsProgram({ command, env, cwd }, existsSync)
  if (command.includes('/')) return [resolve(cwd, command)].find(isExecutable)
  const folders = (env.PATH ?? defaultPath)
    .split(delimiter)
    .map((folder) => (isAbsolute(folder) ? folder : resolve(cwd, folder)))
  return folders.map((folder) => join(folder, command)).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

type Called = {
  readonly command: string
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** What to hand to `spawn` on Windows. */
type WindowsCommand = {
  readonly command: string
  readonly args: readonly string[]
  /** The arguments are quoted already. */
  readonly isVerbatim: boolean
}

/**
 * Windows starts `.exe` files by themselves, but `npx` is a `.cmd` script that only `cmd.exe` can run, which reads
 * its line by rules of its own: every character that means something to it is escaped, twice where a script passes
 * its arguments on.
 *
 * @param exists - whether a file is there; asked for `command` and each extension of PATHEXT, along the PATH
 * @see https://learn.microsoft.com/windows-server/administration/windows-commands/cmd
 */
export function windowsCommand(
  { command, args, env, cwd }: Called & { readonly args: readonly string[] },
  exists: (path: string) => boolean = existsSync,
): WindowsCommand {
  const file = windowsProgram({ command, env, cwd }, exists)
  if (file === undefined || !/\.(?:cmd|bat)$/i.test(file)) return { command, args, isVerbatim: false }
  const line = [escapeMeta(`"${file}"`), ...args.map(escapeArgument)].join(' ')
  const shell = variable(env, 'COMSPEC') ?? 'cmd.exe'
  return { command: shell, args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true }
}

/** The file that Windows starts for a command: with an extension of PATHEXT, along the PATH. */
function windowsProgram(
  { command, env, cwd }: Called,
  exists: (path: string) => boolean,
): string | undefined {
  const extensions = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .filter((part) => part !== '')
  const names = extname(command) === '' ? extensions.map((extension) => command + extension) : [command]
  const hasFolder = /[\\/]/.test(command)
  const folders = hasFolder || isAbsolute(command) ? [''] : (variable(env, 'PATH') ?? '').split(delimiter)
  return folders
    .flatMap((folder) => names.map((name) => (hasFolder ? resolve(cwd, name) : join(folder, name))))
    .find(exists)
}

const variable = (env: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]

/** Quoted for the program, then escaped for `cmd.exe`, and once more for the script's own `%*`. */
function escapeArgument(argument: string): string {
  const quoted = argument.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, '$1$1')
  return escapeMeta(escapeMeta(`"${quoted}"`))
}

const escapeMeta = (text: string): string =>
  text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&').replace(/[\r\n]+/g, ' ')
