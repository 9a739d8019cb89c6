import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, platform, release, totalmem } from 'node:os'
import { dirname, join } from 'node:path'

/** What a figure depends on besides the code. */
export type Machine = {
  readonly at: string
  readonly cores: number
  readonly processor: string
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  readonly packages: { readonly [name: string]: string }
  /** Processes that wanted to run, over the last 1, 5 and 15 minutes. */
  readonly load: readonly number[]
}

const measured = [
  '@lancedb/lancedb',
  'apache-arrow',
  '@modelcontextprotocol/server',
  'minisearch',
  '@orama/orama',
]

export const machine = (now: Date): Machine => ({
  at: now.toISOString(),
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  system: `${platform()} ${release()}`,
  node: process.version,
  packages: Object.fromEntries(measured.map((name) => [name, versionOf(name)])),
  load: loadNow(),
})

/** Load averages, in two digits. On Windows all are 0. */
export const loadNow = (): readonly number[] => loadavg().map((load) => Math.round(load * 100) / 100)

/** Packages do not export their manifests: it stands in the folder above the entry file that has one. */
function versionOf(name: string): string {
  const require = createRequire(import.meta.url)
  for (let folder = dirname(require.resolve(name)); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name?: string
        version?: string
      }
      if (manifest.name === name && manifest.version !== undefined) return manifest.version
    } catch {
      // no manifest in this folder
    }
  }
  return 'unknown'
}
