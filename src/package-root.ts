import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute folder of this package: where `package.json`, `catalog` and `embeddings` lie, from `src` and from `dist`. */
export const packageRoot = dirname(dirname(fileURLToPath(import.meta.url)))
