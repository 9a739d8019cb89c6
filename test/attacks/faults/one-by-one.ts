import { join } from 'node:path'
import { clocks } from './clocks.ts'
import { damagedFiles } from './damaged-files.ts'
import { endlessSources } from './endless-sources.ts'
import type { Fault } from './fault.ts'
import { fullDisk } from './full-disk.ts'
import { readOnlyHome } from './read-only-home.ts'
import { severalAtOnce } from './several-at-once.ts'

/** The model that ships, beside the program: `<package>/dist/cli/main.js`. */
const embeddings = (program: string): string => join(program, '../../../embeddings/audition-1')

/** All faults, in the order of the report. */
export const faults: readonly Fault[] = [
  ...fullDisk,
  ...readOnlyHome,
  ...damagedFiles(embeddings),
  ...clocks,
  ...severalAtOnce,
  ...endlessSources,
]
