import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Outcome } from '../../../src/domain/outcome.ts'
import { damageIn, editionIn, withAudition, writeEdition } from './catalogs.ts'
import type { Call, Ended } from './run-program.ts'
import { importedOutcome } from './imported-outcome.ts'

/** What one trial of a kind does: a command is killed, and what it left is looked at. */
export type Trial = {
  /** The command, as the report names it. */
  readonly name: string
  /** Makes ready, once; later trials go on from what the former ones left. */
  prepare(place: Place): Promise<void>
  /** The call of a turn. */
  call(place: Place, turn: number): Promise<Call>
  /** @returns what is wrong with what the call left, in words; nothing when all is well */
  check(place: Place, turn: number, ended: Ended): Promise<readonly string[]>
}

/** Where the trials of a kind take place. */
export type Place = { readonly program: string; readonly folder: string }

const homeOf = ({ folder }: Place): string => join(folder, 'home')
const sourceOf = ({ folder }: Place): string => join(folder, 'source')

const indexCall = (place: Place): Call => ({
  program: place.program,
  words: ['index', sourceOf(place), '--json'],
  home: homeOf(place),
})

const indexed = (place: Place): Promise<unknown> =>
  withAudition(homeOf(place), (audition) => audition.index({ locations: [sourceOf(place)] }))

/** The catalog is the new one or the former one, the new one if that was reported; and the next run goes through. */
async function catalogFaults(
  place: Place,
  {
    edition,
    former,
    ended,
  }: { readonly edition: number; readonly former: number | null; readonly ended: Ended },
): Promise<readonly string[]> {
  const faults: string[] = []
  const home = homeOf(place)
  const found = await editionIn(home)
  const isNew = found.kind === 'edition' && found.edition === edition
  const isFormer =
    former === null ? found.kind === 'nothing' : found.kind === 'edition' && found.edition === former
  if (!isNew && !isFormer) faults.push(`torn: ${JSON.stringify(found)}`)
  if (ended.code === 0 && !isNew) faults.push('lost: a commit that was reported is not there')
  faults.push(...(await damageIn(home)).map((message) => `damaged: ${message}`))
  try {
    await indexed(place)
    const after = await editionIn(home)
    if (after.kind !== 'edition' || after.edition !== edition)
      faults.push(`stuck: the next run left ${JSON.stringify(after)}`)
  } catch (error) {
    faults.push(`stuck: ${(error as Error).message}`)
  }
  return faults
}

export const killedIndex: Trial = {
  name: 'index',
  async prepare(place) {
    writeEdition(sourceOf(place), 0)
    await indexed(place)
  },
  async call(place, turn) {
    writeEdition(sourceOf(place), turn)
    return indexCall(place)
  },
  check: (place, turn, ended) => catalogFaults(place, { edition: turn, former: turn - 1, ended }),
}

export const killedFirstIndex: Trial = {
  name: 'index, the first ever',
  async prepare() {},
  async call(place, turn) {
    rmSync(homeOf(place), { recursive: true, force: true })
    writeEdition(sourceOf(place), turn)
    return indexCall(place)
  },
  check: (place, turn, ended) => catalogFaults(place, { edition: turn, former: null, ended }),
}

const runsPerProbe = 6

const agentText = `process.stdin.resume().on('end', () => console.log('42'))\n`

export const killedProbe: Trial = {
  name: 'probe',
  async prepare(place) {
    const source = sourceOf(place)
    mkdirSync(source, { recursive: true })
    writeFileSync(join(source, 'agent.mjs'), agentText)
    writeFileSync(
      join(source, 'answerer.yaml'),
      `profile: audition/v1\nname: answerer\ndescription: Answers every question with one number\nrun: { command: node, args: ["${join(source, 'agent.mjs')}"] }\n`,
    )
    writeFileSync(`${homeOf(place)}-settings.yaml`, 'allow:\n  - "command:*"\n')
    await indexed(place)
  },
  async call(place, turn) {
    const tasks = Array.from({ length: runsPerProbe }, (_, at) => ['--task', `Trial ${turn}, question ${at}`])
    return {
      program: place.program,
      words: ['probe', 'source/answerer', ...tasks.flat()],
      home: homeOf(place),
    }
  },
  async check(place, turn, { stderr, code }) {
    // A line `[2/6] ...` is written once the outcome is stored.
    const told = stderr.split('\n').filter((line) => /^\[\d+\/\d+\] /.test(line)).length
    const kept = await outcomesIn(homeOf(place))
    const own = kept.filter(({ task }) => task.startsWith(`Trial ${turn},`))
    const before = new Set(kept.map(({ task }) => Number(/^Trial (\d+)/.exec(task)?.[1])))
    return [
      ...(own.length < told ? [`lost: ${told} outcomes were reported, ${own.length} are there`] : []),
      ...(code === 0 && own.length < runsPerProbe ? ['lost: outcomes of a probe that ended'] : []),
      ...(turn > 1 && before.size === 0 ? ['lost: all outcomes of former trials'] : []),
      ...transcriptFaults(homeOf(place), own),
      ...(await damageIn(homeOf(place))).map((message) => `damaged: ${message}`),
    ]
  },
}

/** The transcript is written before the outcome: each outcome has a whole one. */
const transcriptFaults = (home: string, outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap(({ id }) => {
    try {
      JSON.parse(readFileSync(join(home, 'transcripts', `${id}.json`), 'utf8'))
      return []
    } catch (error) {
      return [`lost: a transcript (${(error as Error).message})`]
    }
  })

const outcomesIn = (home: string): Promise<readonly Outcome[]> =>
  withAudition(home, async (audition) => (await audition.record()).list())

const importedPerTurn = 40

const imported = (turn: number): readonly Outcome[] =>
  Array.from({ length: importedPerTurn }, (_, at) =>
    importedOutcome({
      id: `import-${turn}-${at}`,
      card: `crew/clerk-${at % 5}`,
      task: `Trial ${turn}, question ${at}`,
    }),
  )

/** Fragments from which on a write merges them: see compact-record.ts. */
const fragments = 70

/** Each turn begins with a record of many fragments, so that the import also compacts. */
export const killedImport: Trial = {
  name: 'record import, which compacts',
  async prepare(place) {
    const home = `${homeOf(place)}-model`
    const { lanceTrackRecord } = await import('../../../src/adapters/lancedb/record/track-record.ts')
    for (let process = 0; process < fragments; process += 1) {
      const record = lanceTrackRecord(home, { embed: async () => null })
      await record.add([{ ...imported(0)[0]!, id: `before-${process}` }])
      await record.close()
    }
  },
  async call(place, turn) {
    const home = homeOf(place)
    rmSync(home, { recursive: true, force: true })
    mkdirSync(dirname(home), { recursive: true })
    cpSync(`${home}-model`, home, { recursive: true })
    const file = join(place.folder, 'outcomes.jsonl')
    writeFileSync(
      file,
      imported(turn)
        .map((outcome) => `${JSON.stringify(outcome)}\n`)
        .join(''),
    )
    return { program: place.program, words: ['record', 'import', file], home }
  },
  async check(place, turn, { stdout }) {
    const home = homeOf(place)
    const ids = new Set((await outcomesIn(home)).map(({ id }) => id))
    const own = [...ids].filter((id) => id.startsWith(`import-${turn}-`)).length
    const former = [...ids].filter((id) => id.startsWith('before-')).length
    const isTold = stdout.includes(`Added ${importedPerTurn} outcomes`)
    const faults = [
      ...(former < fragments ? [`lost: ${fragments - former} outcomes that were there before`] : []),
      ...(isTold && own < importedPerTurn
        ? [`lost: ${importedPerTurn - own} outcomes of a reported import`]
        : []),
      ...(own > 0 && own < importedPerTurn ? [`torn: ${own} outcomes of one write`] : []),
      ...(await damageIn(home)).map((message) => `damaged: ${message}`),
    ]
    await withAudition(home, async (audition) => (await audition.record()).add(imported(turn)))
    const after = new Set((await outcomesIn(home)).map(({ id }) => id))
    return after.size === fragments + importedPerTurn
      ? faults
      : [...faults, 'stuck: the next write is not there']
  },
}

/** What is told to be forgotten may go or not; all else stays. */
export const killedForget: Trial = {
  name: 'record forget',
  prepare: killedImport.prepare,
  async call(place, turn) {
    await killedImport.call(place, turn)
    const home = homeOf(place)
    await withAudition(home, async (audition) => (await audition.record()).add(imported(turn)))
    return { program: place.program, words: ['record', 'forget', '--card', 'crew/clerk-1', '--yes'], home }
  },
  async check(place, _turn, { stdout }) {
    const home = homeOf(place)
    const kept = await outcomesIn(home)
    const forgotten = kept.filter(({ card }) => card === 'crew/clerk-1').length
    const others = kept.length - forgotten
    const mostForgotten = importedPerTurn / 5
    const expected = fragments + importedPerTurn - mostForgotten
    return [
      ...(others < expected ? [`lost: ${expected - others} outcomes that nobody forgot`] : []),
      ...(stdout.includes('Forgot') && forgotten > 0
        ? ['lost: what was reported as forgotten is there']
        : []),
      ...(await damageIn(home)).map((message) => `damaged: ${message}`),
    ]
  },
}

export const killTrials: readonly { readonly trial: Trial; readonly share: number }[] = [
  { trial: killedIndex, share: 0.28 },
  { trial: killedFirstIndex, share: 0.24 },
  { trial: killedProbe, share: 0.22 },
  { trial: killedImport, share: 0.18 },
  { trial: killedForget, share: 0.08 },
]
