import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { EmbeddingModelError } from '../../../retrieval/rank/embedding-model-error.ts'

export const installLine = 'npm install @huggingface/transformers@4'

const name = '@huggingface/transformers'
const needed = /^4\./

const manifest = z.object({
  version: z.string(),
  exports: z.object({ node: z.object({ import: z.object({ default: z.string() }) }) }).optional(),
})

/**
 * Finds transformers.js 4 in the `node_modules` folders above a module. Unlike `import`, it passes over other
 * versions: LanceDB may bring along 3.0.2, which would hide the one the user installed for Audition.
 *
 * @param from - URL of the module whose surroundings are searched
 * @returns the URL to import
 * @throws EmbeddingModelError with the line to run when there is none
 */
export function transformersUrl(from: string): string {
  const passedOver: string[] = []
  for (const folder of nodeModulesAbove(fileURLToPath(from))) {
    const file = join(folder, name, 'package.json')
    if (!existsSync(file)) continue
    const { version, exports } = manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
    const entry = exports?.node.import.default
    if (needed.test(version) && entry !== undefined) return pathToFileURL(join(folder, name, entry)).href
    passedOver.push(`${version} in ${folder}`)
  }
  const others =
    passedOver.length === 0 ? '' : ` (only ${passedOver.join(', ')}, brought along by another package)`
  throw new EmbeddingModelError(
    `The package ${name} 4 is not installed${others}; models of kind "transformers" run on it.`,
    `Run \`${installLine}\` where Audition is installed (with -g if Audition is installed globally).`,
  )
}

function* nodeModulesAbove(path: string): Generator<string> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    yield join(folder, 'node_modules')
  }
}
