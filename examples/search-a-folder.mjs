// Reads the tools of a folder into a store of its own, and searches them.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openAudition } from 'audition-mcp'

const folder = fileURLToPath(new URL('tools', import.meta.url))
const home = await mkdtemp(join(tmpdir(), 'audition-example-'))
const audition = await openAudition({ home })

const { tools, problems } = await audition.index({ locations: [folder] })
console.log(`${tools} tools, ${problems.length} problems`)

const answer = await audition.search({ kind: 'tool', query: 'how many dollars are 20 euros?' })
console.log(answer.match, answer.note)
for (const { card, score } of answer.candidates) console.log(score.toFixed(3), card.id)

await audition.close()
await rm(home, { recursive: true })
