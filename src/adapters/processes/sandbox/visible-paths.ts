import { existsSync, statSync, readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep, resolve } from 'node:path'
import { contains, realPath } from '../../../domain/paths.ts'
import { findProgram } from '../find-program.ts'
import type { StdioLaunch } from '../process-group.ts'
import type { Opening } from './sandbox.ts'

/** Files and folders below the home folder that hold keys, sessions and the like. */
const secretNames = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.password-store',
  '.netrc',
  '.git-credentials',
  '.npmrc',
  '.pypirc',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.config/sops',
  '.local/share/keyrings',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.cursor',
  '.bash_history',
  '.zsh_history',
  '.vault-token',
  'Library/Keychains',
  'Library/Application Support',
]

/** Where the user's secrets lie, whether or not there are any. */
export const secretPaths = (home: string): readonly string[] => secretNames.map((name) => join(home, name))

/**
 * Where secrets are seen, each of which has to be covered.
 *
 * @param secrets - files and folders, whether or not they are there
 * @param shown - folders and files that are there whatever lies around them
 * @param empty - folders that are empty but for what is shown
 */
export function exposedSecrets(
  secrets: readonly string[],
  shown: readonly string[],
  empty: readonly string[],
): readonly string[] {
  // A link cannot be covered, and need not be: what it leads to can.
  const places = secrets
    .filter((secret) => existsSync(secret))
    .map(realPath)
    .flatMap((secret) => [
      ...shown
        .filter((path) => contains({ folder: realPath(path), path: secret }))
        .map((path) => join(path, relative(realPath(path), secret))),
      ...(empty.some((folder) => contains({ folder, path: secret })) ? [] : [secret]),
    ])
  return [...new Set(places)]
}

/** Files that say that the folder they lie in is one project. */
const projectMarks = ['package.json', 'pyproject.toml', 'go.mod', 'Cargo.toml', '.git']

/**
 * What a program needs to see of folders that are otherwise hidden: itself and what it is installed with, and what its command line
 * names. A file brings the project it lies in, and alone when it lies in none. Never the home folder itself, what lies above it, or a secret.
 *
 * @param places.hidden - folders that would be empty
 * @param places.secrets - paths that stay hidden whatever names them
 */
export function neededPaths(
  launch: StdioLaunch,
  places: { readonly home: string; readonly hidden: readonly string[]; readonly secrets: readonly string[] },
): readonly string[] {
  const { home, hidden, secrets } = places
  const program = findProgram(launch.command, launch.env, launch.cwd)
  const folders = (launch.env.PATH ?? '').split(':').filter((folder) => isAbsolute(folder))
  const installed = [
    ...(program === undefined ? [] : [dirname(program), dirname(realPath(program))]),
    ...folders,
  ]
  const named = [launch.command, ...launch.args]
    .map((word) => word.replace(/^--?[\w-]+=/, ''))
    .filter((word) => isAbsolute(word) && existsSync(word))
    .flatMap((path) => [path, realPath(path)].map((one) => projectOf(one, home)))
  const isTooMuch = (path: string): boolean =>
    showsTooMuch(path, home, secrets) || hidden.some((folder) => contains({ folder: path, path: folder }))
  const wanted = [...installed.flatMap(installation), ...named]
  return [...new Set(wanted)].filter(
    (path) => existsSync(path) && hidden.some((folder) => contains({ folder, path })) && !isTooMuch(path),
  )
}

/**
 * Whether a path is a secret, lies in one, or holds the home folder, as it is written or where it leads: a link that is shown shows
 * what it leads to.
 */
export const showsTooMuch = (path: string, home: string, secrets: readonly string[]): boolean =>
  [path, realPath(path)].some(
    (shown) =>
      [home, realPath(home)].some((one) => contains({ folder: shown, path: one })) ||
      [...secrets, ...secrets.map(realPath)].some((secret) => contains({ folder: secret, path: shown })),
  )

/** A folder of programs, and the libraries installed beside it. */
const installation = (folder: string): readonly string[] => [folder, join(dirname(folder), 'lib')]

function projectOf(path: string, home: string): string {
  if (statSync(path).isDirectory()) return path
  for (
    let at = dirname(path);
    at !== dirname(at) && !contains({ folder: at, path: home });
    at = dirname(at)
  ) {
    if (projectMarks.some((mark) => existsSync(join(at, mark)))) return outermostModules(at)
  }
  return path
}

/** A package that is installed in a project needs the others that are installed there. */
function outermostModules(folder: string): string {
  const at = folder.indexOf(`${sep}node_modules${sep}`)
  return at < 0 ? folder : folder.slice(0, at + `${sep}node_modules`.length)
}

/** `.env`, `.env.local` and their like hold secrets; those that only show the form hold none. */
const isEnvironmentFile = (name: string): boolean =>
  /^\.env(?:\..+)?$/i.test(name) && !/\.(?:example|sample|template|dist|defaults?)$/i.test(name)

/** Folders whose own such files are nobody's secrets, and that are large. */
const passedOver: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv', 'venv', '__pycache__'])

/** How deep, and through how many entries, folders are looked through before a program starts. */
const most = { depth: 4, entries: 20_000 }

/**
 * Files of variables in folders that a program gets to see, which it is kept from unless the command line or the user's settings name the
 * file itself.
 */
export function environmentFiles(
  folders: readonly string[],
  { command, args, cwd }: StdioLaunch,
  { readable, writable }: Opening,
): readonly string[] {
  const words = [command, ...args].map((word) => resolve(cwd, word.replace(/^--?[\w-]+=/, '')))
  const named = new Set([...words, ...readable, ...writable].map(realPath))
  let entries = 0
  const found: string[] = []
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      entries += 1
      if (entries > most.entries) return
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (depth < most.depth && !passedOver.has(entry.name)) look(path, depth + 1)
      } else if (isEnvironmentFile(entry.name) && !named.has(realPath(path))) found.push(path)
    }
  }
  for (const folder of folders) look(folder, 0)
  return [...new Set(found)]
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // a file, or a folder that the program cannot list either
  }
}
