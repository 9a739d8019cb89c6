import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Chart.js as one classic script, with its licence; read from the installed package. */
export function chartLibrary(): string {
  const main = createRequire(import.meta.url).resolve('chart.js')
  const file = join(dirname(main), 'chart.umd.min.js')
  try {
    // A source map would be asked for over the network.
    return readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '\n')
  } catch (cause) {
    throw new Error(`${file} cannot be read: reports need it. Install Audition again.`, { cause })
  }
}
