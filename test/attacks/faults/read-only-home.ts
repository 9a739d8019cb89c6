import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeEdition } from './catalogs.ts'
import { type Fault, failed, seen, unclear } from './fault.ts'
import { hasOwnMounts, inOwnMounts, noMounts } from './namespace.ts'
import { call, homeIn, indexEdition, notEdition, notIndexable, sourceIn } from './stores.ts'
import { importedOutcome } from './imported-outcome.ts'

/** A bind mount that is read-only for root too. */
const readOnly: Fault = {
  group: 'read-only home',
  name: 'a store on a read-only mount',
  async run(place) {
    if (!hasOwnMounts()) return { kind: 'skipped', why: noMounts }
    await indexEdition(place, 1)
    writeEdition(sourceIn(place), 2)
    const home = homeIn(place)
    const before = inOwnMounts(`mount --bind "${home}" "${home}"; mount -o remount,ro,bind "${home}"`)
    const file = join(place.folder, 'outcomes.jsonl')
    const outcome = importedOutcome({ id: 'x', card: 'crew/clerk-1', task: 'Question' })
    writeFileSync(file, `${JSON.stringify(outcome)}\n`)
    const says = { says: [/cannot be written|read-only/i, /AUDITION_HOME/] }
    const index = await call(place, ['index', sourceIn(place)], { before })
    const search = await call(place, ['search', 'send a parcel', '--json'], { before })
    return seen(index, [
      ...unclear(index, says),
      ...unclear(await call(place, ['record', 'import', file], { before }), says),
      ...failed('a search of it', search),
      ...(search.stdout.includes('Edition 1.') ? [] : ['a search of it does not find the catalog']),
      ...failed('doctor', await call(place, ['doctor'], { before })),
      ...(await notEdition(home, 1)),
      ...(await notIndexable(place, 3)),
    ])
  },
}

const fileInPlace: Fault = {
  group: 'read-only home',
  name: 'a file where the folder should be',
  async run(place) {
    writeEdition(sourceIn(place), 1)
    writeFileSync(homeIn(place), 'a file')
    const index = await call(place, ['index', sourceIn(place)])
    const wrong = unclear(index, { says: [/cannot be written/, /AUDITION_HOME/] })
    rmSync(homeIn(place))
    return seen(index, [...wrong, ...(await notIndexable(place, 2))])
  },
}

const folderInPlace: Fault = {
  group: 'read-only home',
  name: 'a folder where the lock should be',
  async run(place) {
    writeEdition(sourceIn(place), 1)
    mkdirSync(join(homeIn(place), 'index.lock'), { recursive: true })
    const index = await call(place, ['index', sourceIn(place)], { mostMs: 20_000 })
    const wrong = unclear(index, { says: [/cannot be written/, /AUDITION_HOME/] })
    rmSync(join(homeIn(place), 'index.lock'), { recursive: true })
    return seen(index, [...wrong, ...(await notIndexable(place, 2))])
  },
}

export const readOnlyHome: readonly Fault[] = [readOnly, fileInPlace, folderInPlace]
