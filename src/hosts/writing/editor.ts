import type { JsonObject } from '../../domain/json.ts'
import type { HostBlock } from '../block.ts'

/** What is written where: a block, and the file that gets it. */
export type Target = Pick<HostBlock, 'format' | 'key' | 'entry' | 'text'> & { readonly path: string }

/** Changes one entry in the text of a configuration and leaves the rest byte for byte. */
export type Editor = {
  readonly add: (text: string, target: Target) => string
  /** @param entry - null takes the entry out */
  readonly change: (text: string, target: Target, entry: JsonObject | null) => string
}
