import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Manifest = {
  readonly dependencies?: { readonly [name: string]: string }
  readonly optionalDependencies?: { readonly [name: string]: string }
}

/** Native binaries are optional packages named after their owner: `@lancedb/lancedb-linux-x64-gnu`. */
const isNativeBinary = (name: string): boolean => /-(linux|darwin|win32)-/.test(name)

/** Folders of the packages that Audition cannot do without, on this platform. */
export const neededPackages = (root: string): readonly string[] => packagesFrom(root, isNativeBinary)

/** The same with the packages that those list as optional. */
export const allPackages = (root: string): readonly string[] => packagesFrom(root, () => true)

/** Packages that Audition names itself. */
export const namedPackages = (root: string): readonly string[] =>
  Object.keys(manifestOf(root).dependencies ?? {}).map((name) => resolved(name, root)!)

/** Packages reached from a folder's manifest as Node resolves them, each once. */
function packagesFrom(
  start: string,
  takesOptional: (name: string, from: string) => boolean,
): readonly string[] {
  const found = new Set<string>()
  const visit = (folder: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder)
    // npm writes optional dependencies into both lists.
    const optional = new Set(Object.keys(optionalDependencies))
    const names = [...Object.keys(dependencies), ...optional].filter(
      (name) => !optional.has(name) || takesOptional(name, folder),
    )
    for (const name of names) {
      const package_ = resolved(name, folder)
      if (package_ === undefined || found.has(package_)) continue
      found.add(package_)
      visit(package_)
    }
  }
  visit(start)
  return [...found]
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

function resolved(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === dirname(folder)) return undefined
  }
}
