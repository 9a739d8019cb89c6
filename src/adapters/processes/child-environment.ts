import type { Environment } from './expand-variables.ts'

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
    ...['PATH', 'PATHEXT', 'COMSPEC', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'TEMP', 'TMP', 'USERNAME'],
    ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES'],
    ...['PROGRAMFILES(X86)', 'PROGRAMW6432', 'PROCESSOR_ARCHITECTURE', 'NUMBER_OF_PROCESSORS', 'LANG', 'TZ'],
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
