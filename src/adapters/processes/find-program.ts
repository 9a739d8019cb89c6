import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { windowsProgram } from './windows-command.ts'

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
