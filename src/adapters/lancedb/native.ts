import { createRequire } from 'node:module'

// Its warnings would fill a host's log, and it reads this when it is loaded; errors still come as exceptions.
process.env.LANCEDB_LOG ??= 'error'

const require = createRequire(import.meta.url)

/** LanceDB; loaded with the first module that reads or writes a store. */
export const lancedb = require('@lancedb/lancedb') as typeof import('@lancedb/lancedb')

/**
 * Apache Arrow as LanceDB itself loads it (CommonJS). The ES module build would be a second copy: slower to start, and
 * its types would be rebuilt one by one at every write, large binaries not at all.
 */
export const arrow = require('apache-arrow') as typeof import('apache-arrow')
