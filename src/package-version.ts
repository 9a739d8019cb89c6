import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from './domain/json.ts'
import { packageRoot } from './package-root.ts'

/** The version of this package, as `package.json` states it. */
export function packageVersion(): string {
  const file = join(packageRoot, 'package.json')
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (isJsonObject(manifest) && typeof manifest.version === 'string') return manifest.version
  throw new Error(`${file}: "version" is missing. Install Audition again.`)
}
