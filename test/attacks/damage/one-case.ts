import { readFileSync } from 'node:fs'
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
  /** Whether every command runs in a process of its own, as users have it. */
  readonly isApart: boolean
}

/** How the commands of a case are run. */
export type CommandWays = {
  /** All of them in one process. */
  readonly together: CommandWorker
  /** Each in one of its own, as users have it. */
  readonly apart: CommandWorker
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

const forget = ['record', 'forget', '--card', 'source/clerk-4', '--yes']
const reads: readonly (readonly string[])[] = [
  ['search', '--json', '-k', '90', 'send parcel 7 to its address and review contract 3'],
  ['record', 'export'],
  ['record', '--simulated', '--json'],
  ['sources', '--json'],
  ['models', '--json', 'review a contract'],
  ['transcript', '00000000-0000-4000-8000-000000000001'],
]
const [search, record, simulated, sources, models] = [0, 1, 2, 3, 4] as const

/** What differs from run to run, and what a new index of the same sources changes. */
const passing = /"(?:generation|indexedAt|fingerprint|seconds)": (?:"[^"]*"|[\d.]+),?/g
const plain = ({ stdout }: Ran): string => stdout.replace(passing, '')

/** What the sound store answers. */
export async function soundAnswers(store: SoundStore, worker: CommandWorker): Promise<readonly string[]> {
  const { ran } = await worker.run(store.home, [['doctor', '--repair', '--dry-run'], ...reads])
  const failed = ran.find(({ code }) => code !== 0)
  if (failed !== undefined || ran.length <= reads.length)
    throw new Error(`The sound store fails: ${failed?.stderr}`)
  if (!ran[0]!.stdout.startsWith('Nothing to mend.'))
    throw new Error(`The sound store is to be mended: ${ran[0]!.stdout}`)
  return ran.slice(1).map(plain)
}

/** Whether an answer is the same but for the last digits of its numbers, which depend on the order of what is added up. */
function isAlike(answer: string, other: string): boolean {
  const [parts, others] = [answer, other].map((text) => text.split(/(-?\d+\.\d{5,})/)) as [string[], string[]]
  const isNear = (part: string, at: number): boolean =>
    part === others[at] || (at % 2 === 1 && Math.abs(Number(part) - Number(others[at])) < 1e-5)
  return parts.length === others.length && parts.every(isNear)
}

/** What every case is measured by. */
type Surroundings = {
  readonly store: SoundStore
  /** What it answers. */
  readonly sound: readonly string[]
  readonly ways: CommandWays
  /** For a copy of the store; nothing is there. */
  readonly home: string
}

/** What comes of one case: reads, perhaps an index, the repair, and reads again. */
export async function runCase(one: DamageCase, surroundings: Surroundings): Promise<CaseFound> {
  const { store, sound, home } = surroundings
  store.copyTo(home)
  one.harm(home)
  const index = ['index', store.source]
  const { call, repairing, panics } = callsIn(one, surroundings)
  const found = { silent: [] as string[], circles: [] as string[], panics, unnamed: [] as string[] }
  const compare = (when: string, ran: readonly Ran[], isSame: typeof isAlike): void => {
    for (const [at, { code, stderr }] of ran.entries()) {
      const line = `${when}: ${reads[at]!.slice(0, 2).join(' ')}`
      if (code === 0 && !isSame(plain(ran[at]!), sound[at]!)) found.silent.push(line)
      if (code !== 0 && !/doctor --repair|no transcript/.test(stderr))
        found.circles.push(`${line}: ${stderr}`)
    }
  }

  const before = await call(reads)
  compare('before', before, (answer, other) => answer === other)
  let now = before
  if (one.indexedFirst) {
    const [indexed] = await call([index])
    if (indexed!.code === 0) {
      // It may have healed what it wrote anew; then nothing may be wrong.
      now = await call(reads)
      compare('after an index', now, isAlike)
    } else if (!/doctor --repair/.test(indexed!.stderr)) found.circles.push(`index: ${indexed!.stderr}`)
  }
  const repair = await repairing(['doctor', '--repair', '--yes'])
  if (!/damage: none found/.test(repair.stdout))
    found.circles.push(`after the repair is to be mended: ${repair.stdout}${repair.stderr}`)
  const isUnnoticed = repair.stdout.startsWith('Nothing to mend.')
  const after = isUnnoticed ? now : await call(reads)
  const [indexed] = await call([index])
  for (const [at, { code, stderr }] of [...after, indexed!].entries())
    if (code !== 0 && !/no transcript/.test(stderr))
      found.circles.push(`after the repair: ${(reads[at] ?? index)[0]}: ${stderr}`)
  found.unnamed.push(...unnamedIn(repair.stdout, after, sound))
  const [last, forgotten] = await call([reads[search]!, forget])
  if (forgotten!.code !== 0) found.circles.push(`after the repair: record forget: ${forgotten!.stderr}`)
  found.silent.push(...keptOf(home))
  const isRecordWhole = after[record]!.stdout === sound[record]
  if (last!.code === 0 && isRecordWhole && !isAlike(plain(last!), sound[search]!))
    found.unnamed.push('a search after the repair and an index is another one')
  const noticed = before.some(({ code }) => code !== 0) || !isUnnoticed
  return { name: one.name, ...found, noticed }
}

/** What was forgotten and still lies on the disk, but for what a repair put aside. */
const keptOf = (home: string): readonly string[] =>
  filesIn(home)
    .filter((file) => file.startsWith('track_record.lance/data/'))
    .filter((file) => readFileSync(join(home, file)).includes('source/clerk-4'))
    .map((file) => `forgotten outcomes stay in ${file}`)

/** Runs the commands of a case, and collects what panics show. */
function callsIn({ isApart }: DamageCase, { ways, home }: Surroundings) {
  const worker = isApart ? ways.apart : ways.together
  const panics: string[] = []
  const ranOf = (lines: readonly (readonly string[])[], answer: Answer): readonly Ran[] => {
    panics.push(...panicsIn(answer))
    const ended = { code: -1, stdout: '', stderr: answer.died ?? 'nothing was answered' }
    return lines.map((_, at) => answer.ran[at] ?? ended)
  }
  return {
    panics,
    call: async (lines: readonly (readonly string[])[]): Promise<readonly Ran[]> =>
      ranOf(lines, await worker.run(home, lines)),
    /** Users get it in a process of its own that shows nobody what native code writes. One that ends here is asked for again so. */
    async repairing(line: readonly string[]): Promise<Ran> {
      const answer = await worker.run(home, [line])
      const isOver = answer.died !== null
      return ranOf([line], isOver ? await ways.apart.run(home, [line]) : { ...answer, native: '' })[0]!
    },
  }
}

/** What is not there any more after a repair, and the repair did not say so. */
function unnamedIn(repair: string, after: readonly Ran[], sound: readonly string[]): readonly string[] {
  const isGone = (at: number): boolean => after[at]!.code === 0 && !isAlike(plain(after[at]!), sound[at]!)
  const isNamed = /lost {3}/.test(repair)
  const areOutcomesNamed = /lost {3}.*outcomes/.test(repair)
  return [
    ...(isGone(search) && !isNamed ? ['what a search finds'] : []),
    ...(isGone(sources) && !isNamed ? ['what is known of sources'] : []),
    ...(isGone(models) && !isNamed ? ['what is known of models'] : []),
    ...(isGone(record) && !areOutcomesNamed ? ['outcomes are gone'] : []),
    ...(isGone(simulated) && !areOutcomesNamed ? ['simulated outcomes are gone'] : []),
  ]
}

function panicsIn({ ran, native }: Answer): readonly string[] {
  const texts = [native, ...ran.flatMap(({ stdout, stderr }) => [stdout, stderr])]
  return texts.flatMap(
    (text) => /.*(?:panicked|\.rs:\d|RUST_BACKTRACE|stack backtrace).*/.exec(text)?.[0] ?? [],
  )
}
