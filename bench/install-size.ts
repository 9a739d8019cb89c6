import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, type Bench, type Table } from './bench.ts'
import { root } from './built-program.ts'
import { allPackages, namedPackages, neededPackages } from './publishing/production-packages.ts'

/** What an install may grow to before somebody must say why: raise one only with the reason. */
const ceilings = { direct: 40, needed: 115, neededMegabytes: 280 } as const

/** What a user's `npm install` puts on disk, read off the packages that lie here. */
export const installSize: Bench = {
  name: 'install',
  question: 'How large is the default install?',
  run(workplace) {
    workplace.log('measuring the installed packages')
    const needed = neededPackages(root)
    const all = allPackages(root)
    const direct = namedPackages(root)
    const own = ['dist', 'catalog', 'embeddings'].map((name) => join(root, name)).filter(existsSync)
    const program = own.reduce((sum, folder) => sum + bytesOf(folder, ['bench']), 0)
    return Promise.resolve({
      tables: [
        {
          title: 'Production dependencies on disk',
          head: ['what', 'packages', 'MB'],
          rows: [
            ['Audition itself', '1', megabytes(program)],
            ['packages it names', `${direct.length}`, megabytes(sumOf(direct))],
            ['packages it needs', `${needed.length}`, megabytes(sumOf(needed))],
            ['with optional packages of dependencies', `${all.length}`, megabytes(sumOf(all))],
          ],
        },
        largest(needed),
      ],
      notes: [
        'Named: dependencies in our manifest. Needed: all of them, theirs, and the native binaries for this machine. Optional: what LanceDB lists as optionalDependencies (transformers.js, the openai client), which npm installs where it can.',
      ],
      floors: [
        atMost('packages that Audition names', ceilings.direct, direct.length),
        atMost('packages that it needs, with those of its dependencies', ceilings.needed, needed.length),
        atMost('their size on this platform', ceilings.neededMegabytes, sumOf(needed) / 1e6, ' MB'),
      ],
    })
  },
}

/** Bytes of a folder without the packages nested in it, which count for themselves. */
function bytesOf(folder: string, leftOut: readonly string[]): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (leftOut.includes(entry.name)) return sum
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? bytesOf(path, leftOut) : lstatSync(path).size)
  }, 0)
}

const packageBytes = (folder: string): number => bytesOf(folder, ['node_modules'])
const sumOf = (folders: readonly string[]): number =>
  folders.reduce((sum, folder) => sum + packageBytes(folder), 0)
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

const largest = (folders: readonly string[]): Table => ({
  title: 'The largest packages it needs',
  head: ['package', 'MB'],
  rows: folders
    .map((folder) => ({ folder, bytes: packageBytes(folder) }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, 6)
    .map(({ folder, bytes }) => [folder.slice(folder.lastIndexOf('node_modules/') + 13), megabytes(bytes)]),
})
