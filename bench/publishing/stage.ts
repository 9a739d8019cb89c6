import { cpSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { runNpm } from '../supply-chain/run-npm.ts'
import { neededPackages } from './production-packages.ts'

type Packed = { readonly files: readonly { readonly path: string }[] }

/**
 * Copies the product and the packages that it cannot do without, for this platform, into a folder that needs nothing else but Node.js: what
 * images and bundles hold. Of packages the types, maps and documents are left out; licences stay.
 *
 * @param out - a folder that is not there yet, or is empty
 * @param root - the repository, with its packages
 * @param built - the folder of the package, after its build
 */
export async function stage(out: string, root: string, built = root): Promise<void> {
  const { code, stdout, stderr } = await runNpm(['pack', '--dry-run', '--json', '--ignore-scripts'], built)
  if (code !== 0) throw new Error(`npm pack ended with ${code}.\n${stderr}`)
  const packed = Object.values(JSON.parse(stdout) as { readonly [at: string]: Packed })[0]!
  if (!packed.files.some(({ path }) => path === 'dist/cli/main.js'))
    throw new Error('There is no dist/cli/main.js. Run `npm run build` first.')
  mkdirSync(out, { recursive: true })
  for (const { path } of packed.files) cpSync(join(built, path), join(out, path))
  for (const folder of neededPackages(root)) {
    cpSync(folder, join(out, relative(root, folder)), {
      recursive: true,
      dereference: true,
      filter: (path) => path === folder || isKept(path.slice(folder.length)),
    })
  }
}

/** Packages nested in a package come by themselves. */
function isKept(inside: string): boolean {
  if (/[\\/]node_modules(?:[\\/]|$)/.test(inside)) return false
  const name = basename(inside)
  if (/^(?:licen[cs]e|notice|copying|third)/i.test(name)) return true
  return !/\.(?:[cm]?ts|tsx|map|md|markdown|flow)$/i.test(name)
}

/** Bytes of all files of a folder. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? bytesIn(path) : lstatSync(path).size)
  }, 0)
}
