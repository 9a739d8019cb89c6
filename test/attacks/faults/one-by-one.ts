import type { Fault } from './fault.ts'
import { fullDisk } from './full-disk.ts'
import { readOnlyHome } from './read-only-home.ts'

/** All faults, in the order of the report. */
export const faults: readonly Fault[] = [...fullDisk, ...readOnlyHome]
