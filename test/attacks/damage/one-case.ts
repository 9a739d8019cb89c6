import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, CommandWorker, Ran } from './command-worker.ts'
import { filesIn } from './harms.ts'
import type { SoundStore } from './sound-store.ts'

/** A store that comes to harm. */
export type DamageCase = {
  readonly name: string
  /** Does harm to a copy of the store. */
  harm(home: string): void
  /** Whether somebody indexes before anybody repairs. */
  readonly indexedFirst: boolean
}

/** What is wrong with what the program did; nothing when all lists are empty. */
export type CaseFound = {
  readonly name: string
  /** Answers that are not those of the sound store, and no word of it. */
  readonly silent: readonly string[]
  /** Ways that lead back to where they began, or nowhere. */
  readonly circles: readonly string[]
  /** What native code, or a crash, wrote for all to see. */
  readonly panics: readonly string[]
  /** What could not be brought back and is not named. */
  readonly unnamed: readonly string[]
  /** Whether anybody noticed the damage. */
  readonly noticed: boolean
}

const reads: readonly (readonly string[])[] = [
  ['search', '--json', '-k', '90', 'send parcel 7 to its address and review contract 3'],
  ['record', 'export'],
  ['sources', '--json'],
  ['transcript', '00000000-0000-4000-8000-000000000001'],
]
const [search, record, sources] = [0, 1, 2] as const

/** What differs from run to run, and what a new index of the same sources changes. */
const passing = /"(?:generation|indexedAt|fingerprint|seconds)": (?:"[^"]*"|[\d.]+),?/g
const plain = ({ stdout }: Ran): string => stdout.replace(passing, '')

/** What the sound store answers. */
export async function soundAnswers(store: SoundStore, worker: CommandWorker): Promise<readonly string[]> {
  const { ran } = await worker.run(store.home, reads)
  const failed = ran.find(({ code }) => code !== 0)
  if (failed !== undefined || ran.length < reads.length)
    throw new Error(`The sound store fails: ${failed?.stderr}`)
  return ran.map(plain)
}

/** What comes of one case: reads, perhaps an index, the repair, and reads again. */
export async function runCase(
  one: DamageCase,
  store: SoundStore,
  sound: readonly string[],
  worker: CommandWorker,
  folder: string,
): Promise<CaseFound> {
  const home = join(folder, 'home')
  for (const part of [home, `${home}-user`]) rmSync(part, { recursive: true, force: true })
  cpSync(store.home, home, { recursive: true })
  one.harm(home)
  const found = {
    silent: [] as string[],
    circles: [] as string[],
    panics: [] as string[],
    unnamed: [] as string[],
  }
  const call = async (lines: readonly (readonly string[])[]): Promise<readonly Ran[]> => {
    const answer = await worker.run(home, lines)
    found.panics.push(...panicsIn(answer))
    const ended = { code: -1, stdout: '', stderr: answer.died ?? 'nothing was answered' }
    return lines.map((_, at) => answer.ran[at] ?? ended)
  }
  const compare = (when: string, ran: readonly Ran[]): void => {
    for (const [at, one] of ran.entries()) {
      const line = `${when}: ${reads[at]![0]}`
      if (one.code === 0 && plain(one) !== sound[at]) found.silent.push(line)
      if (one.code !== 0 && !/doctor --repair|no transcript/.test(one.stderr))
        found.circles.push(`${line}: ${one.stderr}`)
    }
  }
  const index = ['index', store.source]

  const before = await call(reads)
  compare('before', before)
  if (one.indexedFirst) {
    const [indexed] = await call([index])
    // An index that goes through may have healed what it wrote anew; then nothing may be wrong.
    if (indexed!.code === 0) compare('after an index', await call(reads))
    else if (!/doctor --repair/.test(indexed!.stderr)) found.circles.push(`index: ${indexed!.stderr}`)
  }
  const [repair] = await call([['doctor', '--repair', '--yes']])
  const [again, ...after] = await call([['look'], ...reads, index])
  if (again!.code !== 0 || again!.stdout !== '')
    found.circles.push(`after the repair is to be mended: ${again!.stdout}${again!.stderr}`)
  for (const [at, one] of after.entries())
    if (one.code !== 0 && !/no transcript/.test(one.stderr))
      found.circles.push(`after the repair: ${(reads[at] ?? index)[0]}: ${one.stderr}`)
  const [last] = await call([reads[search]!])
  if (last!.code === 0 && plain(last!) !== sound[search] && after[record]!.stdout === sound[record])
    found.unnamed.push('a search after the repair and an index is another one')
  if (
    after[sources]!.code === 0 &&
    plain(after[sources]!) !== sound[sources] &&
    !/lost {3}/.test(repair!.stdout)
  )
    found.unnamed.push('what is known of sources')
  if (after[record]!.stdout !== sound[record] && !/lost {3}.*outcomes/.test(repair!.stdout))
    found.unnamed.push('outcomes are gone')
  const noticed = before.some(({ code }) => code !== 0) || !repair!.stdout.includes('Nothing to mend.')
  return { name: one.name, ...found, noticed }
}

function panicsIn({ ran, native }: Answer): readonly string[] {
  const texts = [native, ...ran.flatMap(({ stdout, stderr }) => [stdout, stderr])]
  return texts.flatMap(
    (text) => /.*(?:panicked|\.rs:\d|RUST_BACKTRACE|stack backtrace).*/.exec(text)?.[0] ?? [],
  )
}

/** Whether nothing is left where a repair says that it put things: to be called after a case. */
export const setAside = (folder: string): readonly string[] =>
  filesIn(join(folder, 'home')).filter((name) => name.startsWith('damaged-'))
