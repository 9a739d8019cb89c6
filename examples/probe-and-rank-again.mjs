// Two agents say the same of themselves. Running them shows which one works, and the next search knows it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAudition } from 'audition-mcp'

const home = await mkdtemp(join(tmpdir(), 'audition-example-'))
// Settings that are not there: what ships with Audition may run, and nothing else.
const audition = await openAudition({ home, settings: join(home, 'settings.yaml') })
await audition.index({ locations: ['bundled:demo'] })

const pair = ['demo-profiles/ratio-oak', 'demo-profiles/ratio-elm']
const ranking = async () => {
  const query = 'what share of a whole is a part, in percent'
  const { candidates } = await audition.search({ kind: 'agent', query, filter: { only: pair }, pack: 'ranking' })
  return candidates.map(({ card }) => card.id)
}

console.log('before:', ...(await ranking()))
const report = await audition.probe({ cards: pair })
for (const { card, worked, graded } of report.candidates) console.log(`${card}: ${worked} of ${graded} right`)
console.log('after: ', ...(await ranking()))

await audition.close()
await rm(home, { recursive: true })
