import { existsSync } from 'node:fs'
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path'

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
export function windowsProgram(
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
