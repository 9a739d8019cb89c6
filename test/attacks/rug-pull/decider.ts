// Accepts what a source holds, and says so once that is done: `node decider.js <home> <word> <model>`.
import { openAudition } from '../../../src/compose/app.ts'
import { configFrom } from '../../../src/config.ts'

const [home = '', word = '', model = ''] = process.argv.slice(2)
const audition = openAudition(
  configFrom({ PATH: process.env.PATH, AUDITION_HOME: home, AUDITION_MODEL: model }),
)
process.stdout.write('begins\n')
const released = await audition.accept([word])
process.stdout.write(`accepted ${released.flatMap(({ cards }) => cards).length}\n`)
await audition.close()
