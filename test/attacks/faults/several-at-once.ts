import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { damageIn, withAudition, writeEdition } from './catalogs.ts'
import { type Fault, failed, seen } from './fault.ts'
import { call, homeIn, indexEdition, sourceIn } from './stores.ts'

const cooks = 30

function writeCooks(folder: string): void {
  mkdirSync(folder)
  for (let at = 0; at < cooks; at += 1)
    writeFileSync(
      join(folder, `cook-${at}.md`),
      `---\nname: cook-${at}\ndescription: Cooks dish number ${at}\n---\nCook.\n`,
    )
}

/** A card that runs, and leave to run it. */
function writeAnswerer(folder: string, home: string): void {
  mkdirSync(folder)
  writeFileSync(join(folder, 'agent.mjs'), `process.stdin.resume().on('end', () => console.log('42'))\n`)
  writeFileSync(
    join(folder, 'answerer.yaml'),
    `profile: audition/v1\nname: answerer\ndescription: Answers with one number\nrun: { command: node, args: ["${join(folder, 'agent.mjs')}"] }\n`,
  )
  writeFileSync(`${home}-settings.yaml`, 'allow:\n  - "command:*"\n')
}

/** Nobody fails or waits for ever, and what each did is there afterwards. */
const together: Fault = {
  group: 'several at once',
  name: 'two indexers, a probe and two searches',
  async run(place) {
    const home = homeIn(place)
    const [other, run] = [join(place.folder, 'other'), join(place.folder, 'run')]
    writeCooks(other)
    writeAnswerer(run, home)
    await indexEdition(place, 1)
    await withAudition(home, (audition) => audition.index({ locations: [run] }))
    writeEdition(sourceIn(place), 2)
    const patient = { mostMs: 90_000 }
    const ended = await Promise.all([
      call(place, ['index', other], patient),
      call(place, ['index', sourceIn(place)], patient),
      call(place, ['probe', 'run/answerer', '--task', 'One?', '--task', 'Two?'], patient),
      call(place, ['search', 'send a parcel', '--json'], patient),
      call(place, ['search', 'review a contract', '--json'], patient),
    ])
    const { cards, outcomes } = await withAudition(home, async (audition) => ({
      cards: await audition.cards(await audition.completeIds('', 1000, 'agent')),
      outcomes: await (await audition.record()).list(),
    }))
    const cooked = cards.filter(({ source }) => source === 'other').length
    const old = cards.filter(({ description }) => description.includes('Edition 1.')).length
    return seen(ended[1]!, [
      ...ended.flatMap((one, at) => failed(`process ${at}`, one)),
      ...(cooked === cooks ? [] : [`${cooked} cards of ${cooks} of one indexer are there`]),
      ...(old === 0 ? [] : [`${old} cards of the former edition are there`]),
      ...(outcomes.length === 2 ? [] : [`${outcomes.length} outcomes of 2 are there`]),
      ...(await damageIn(home)),
    ])
  },
}

export const severalAtOnce: readonly Fault[] = [together]
