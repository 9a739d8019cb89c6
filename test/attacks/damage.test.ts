import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mulberry32 } from '../../src/domain/random.ts'
import { compiledPackage } from '../fixtures/compiled-package.ts'
import { severalCases, singleCases } from './damage/cases.ts'
import { runDamage, wrongIn } from './damage/damage.ts'
import { damageUnderServer } from './damage/serving.ts'
import { soundStore } from './damage/sound-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'audition-damage-'))
let program: string
beforeAll(async () => {
  program = (await compiledPackage()).main
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('whatever becomes of a file of the store, it is told, mended, and what is lost is named', async () => {
  const seed = Date.now() % 2 ** 32
  const random = mulberry32(seed)
  const found = await runDamage({
    program,
    folder,
    // A file that a search reads, one of the record, and several at once.
    choose: ({ home }) => {
      const all = singleCases(home)
      const oneOf = (pattern: RegExp) => {
        const own = all.filter(({ name }) => pattern.test(name))
        return own[Math.floor(random() * own.length)]!
      }
      return [
        oneOf(/^(?:tools|agents|meta|images).*data/),
        oneOf(/^track_record/),
        ...severalCases(home, 1, random),
      ]
    },
    log: () => undefined,
  })
  for (const one of found) expect(wrongIn(one), `seed ${seed}: ${one.name}`).toEqual([])
  expect(found).toHaveLength(3)
}, 400_000)

test('a server under which cards are damaged says so, and answers again after the repair', async () => {
  const [made, served] = [join(folder, 'made'), join(folder, 'served')]
  for (const place of [made, served]) mkdirSync(place)
  expect(await damageUnderServer(program, await soundStore(made), 'tools', served)).toEqual([])
}, 400_000)
