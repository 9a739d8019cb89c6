import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { assignFaults, serversConfig } from './assign-faults.ts'
import { variantLines } from './variants.ts'

/** `npm run probe-lift-variants`: writes the answer key of the variants and the configuration of their servers. */
const folder = resolve(process.cwd(), 'bench', 'probe-lift', 'variants')
const variants = await assignFaults()
writeFileSync(join(folder, 'variants.tsv'), variantLines(variants))
writeFileSync(join(folder, 'mcp.json'), serversConfig())
const counts = new Map<string, number>()
for (const { fault } of variants) counts.set(fault, (counts.get(fault) ?? 0) + 1)
for (const [fault, count] of counts) process.stdout.write(`${fault}: ${count}\n`)
