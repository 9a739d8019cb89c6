import { randomUUID } from 'node:crypto'
import type { Card } from '../../domain/card.ts'
import { allowList } from '../settings/grants.ts'
import { chosenTasks, type TaskSources } from './chosen-tasks.ts'
import { askableTasks } from './profile-file.ts'
import { conclude, execute, type ExecutionDependencies } from './execute-once.ts'
import type { JudgePanel } from '../judges/combine-judges.ts'
import { type KeptRuns, maskKept } from '../record/mask-kept.ts'
import { planLaunch } from './plan-launch.ts'
import type { ExecutionLimits, Executor, Task, TrackRecord, TranscriptEvent } from '../ports.ts'
import { auditionReport, followRace } from './audition.ts'
import { probe, type Retire } from './probe.ts'
import type { ProbeReport } from './probe-report.ts'
import type { ProbeCall, Probing, RunReport } from './probing.ts'
import { given, type Settings } from '../settings/settings.ts'
import { changeAllow, readSettings } from '../settings/settings-file.ts'
import type { Transcripts } from '../record/transcripts.ts'

/** What probing needs of its surroundings. What is a function is opened at its first use. */
export type ProbingSurroundings = TaskSources & {
  /** Of the settings, `allow` has what is allowed for this once too. */
  readonly executors: (settings: Settings) => readonly Executor[]
  readonly openJudge: () => Promise<JudgePanel>
  readonly openRecord: () => Promise<TrackRecord>
  readonly transcripts: Transcripts
  /** What is kept of runs elsewhere, and may hold the same secrets. @defaultValue nothing */
  readonly keptElsewhere?: () => Promise<KeptRuns>
  readonly settingsFile: string
  /** Absolute folder of the bundled catalog, for the word `bundled`. */
  readonly catalog: string
}

/** Probing over these surroundings. Settings are read anew for each call: a server obeys what its user changes. */
export function openProbing(surroundings: ProbingSurroundings): Probing {
  const { settingsFile, transcripts } = surroundings
  return {
    probe: (call) => probeCards(call, surroundings),
    async audition(call) {
      const race = followRace()
      return auditionReport(await probeCards(call, surroundings, race.retire), race)
    },
    plan: (call) => planCards(call, surroundings),
    run: (call) => runCard(call, surroundings),
    maskKept: (call) => maskSecrets(call, surroundings),
    transcript: (outcome) => transcripts.read(outcome),
    transcriptFile: (outcome) => transcripts.fileOf(outcome),
    settings: async () => ({ ...(await readSettings(settingsFile)), file: settingsFile }),
    changeAllow: (change) => changeAllow(settingsFile, change),
  }
}

/** What a call goes by: the settings of this moment, what may be started under them, and by what. */
async function basisOf(
  { allow = [], inHost = false }: Pick<ProbeCall, 'allow' | 'inHost'>,
  { settingsFile, executors, catalog }: ProbingSurroundings,
) {
  const read = await readSettings(settingsFile)
  const settings: Settings = inHost ? { ...read, subagents: 'claude' } : read
  const patterns = [...settings.allow, ...allow]
  return {
    settings,
    executors: executors({ ...settings, allow: patterns }),
    allow: allowList(patterns, catalog),
  }
}

/**
 * The record of what these cards do.
 *
 * @throws Error when some of them would be run and what they do could not be recorded
 */
async function recordOf(
  cards: readonly Card[],
  { executors, allow }: Pick<ExecutionDependencies, 'executors' | 'allow'>,
  { openRecord }: ProbingSurroundings,
): Promise<TrackRecord> {
  const record = await openRecord()
  const planned = await Promise.all(cards.map((card) => planLaunch(card, executors, allow)))
  if (planned.some(({ notRun }) => notRun === null)) await record.requireWritable()
  return record
}

async function probeCards(
  { cards, tasks, limits = {}, budget = {}, signal, onEvent, ...allowed }: ProbeCall,
  surroundings: ProbingSurroundings,
  retire?: Retire,
): Promise<ProbeReport> {
  const { settings, ...start } = await basisOf(allowed, surroundings)
  const record = await recordOf(cards, start, surroundings)
  const tasksOf = await chosenTasks(tasks, { cards, signal }, surroundings)
  const candidates = await Promise.all(cards.map(async (card) => ({ card, tasks: await tasksOf(card) })))
  const report = await probe(
    {
      candidates,
      limits: { ...settings.limits, ...given(limits) },
      budget: { ...settings.budget, ...given(budget) },
      concurrency: settings.concurrency,
      ...(signal === undefined ? {} : { signal }),
      ...(onEvent === undefined ? {} : { onEvent }),
      ...(retire === undefined ? {} : { retire }),
    },
    {
      ...start,
      ...clock,
      judge: await surroundings.openJudge(),
      record,
      transcripts: surroundings.transcripts,
      hostSeconds: settings.hostSeconds,
    },
  )
  if (tasks.kind === 'written') {
    const written = candidates.flatMap((one) =>
      askableTasks(one.card, one.tasks).tasks.map(({ text }) => text),
    )
    await surroundings.keptProbes.learn(tasks.goal, written, report.tasks)
  }
  return report
}

async function planCards(
  { cards, tasks, ...asked }: Parameters<Probing['plan']>[0],
  surroundings: ProbingSurroundings,
): ReturnType<Probing['plan']> {
  const { executors, allow: allowed } = await basisOf(asked, surroundings)
  const isAsked = tasks.kind === 'own' || (tasks.kind === 'given' && tasks.tasks.length > 0)
  const tasksOf = isAsked
    ? await chosenTasks(tasks, { cards, signal: undefined }, surroundings)
    : async () => []
  return Promise.all(
    cards.map(async (card) => {
      const { launch, notRun } = await planLaunch(card, executors, allowed)
      const askable = askableTasks(card, await tasksOf(card))
      return { card, launch, notRun: notRun ?? (isAsked ? askable.notRun : null), tasks: askable.tasks }
    }),
  )
}

async function runCard(
  { card, task, limits = {}, signal, onEvent, ...allowed }: Parameters<Probing['run']>[0],
  surroundings: ProbingSurroundings,
): Promise<RunReport> {
  const { settings, ...start } = await basisOf(allowed, surroundings)
  const dependencies: ExecutionDependencies = {
    ...start,
    ...clock,
    judge: settings.recordRuns ? await surroundings.openJudge() : nobody,
    record: settings.recordRuns ? await recordOf([card], start, surroundings) : null,
    transcripts: surroundings.transcripts,
  }
  return runOnce(
    {
      card,
      task,
      limits: { ...settings.limits, ...given(limits) },
      signal: signal ?? new AbortController().signal,
      onEvent: onEvent ?? (() => {}),
    },
    dependencies,
  )
}

/** In the record, and in what is kept elsewhere. */
async function maskSecrets(
  { cards, write }: Parameters<Probing['maskKept']>[0],
  surroundings: ProbingSurroundings,
): ReturnType<Probing['maskKept']> {
  const { executors } = await basisOf({}, surroundings)
  const found = await Promise.all(cards.map((card) => secretsOf(card, executors)))
  const secrets = [...new Set(found.flat())]
  const way = { secrets, write }
  const { openRecord, transcripts, keptElsewhere } = surroundings
  const own = await maskKept({ record: await openRecord(), transcripts }, way)
  const elsewhere = await keptElsewhere?.()
  if (elsewhere === undefined) return own
  const other = await maskKept(elsewhere, way)
  return {
    outcomes: own.outcomes + other.outcomes,
    transcripts: own.transcripts + other.transcripts,
  }
}

/** None of a card that cannot be run as things stand: nothing is filled in then. */
async function secretsOf(card: Card, executors: readonly Executor[]): Promise<readonly string[]> {
  try {
    return (await executors.find((one) => one.accepts(card))?.secretsOf?.(card)) ?? []
  } catch {
    return []
  }
}

const clock = { now: () => new Date(), newId: randomUUID }

const nobody: JudgePanel = { name: 'nobody', judge: async () => null }

/**
 * Runs a card once for its answer. Where there is a record, the run is judged and recorded like a probe, as a `run`;
 * one that its caller stopped is not.
 */
async function runOnce(
  request: {
    readonly card: Card
    readonly task: Task
    readonly limits: ExecutionLimits
    readonly signal: AbortSignal
    readonly onEvent: (event: TranscriptEvent) => void
  },
  dependencies: ExecutionDependencies,
): Promise<RunReport> {
  const turn = { ...request, origin: 'run', pacing: atOnce, onStart: () => {} } as const
  const end = await execute(turn, dependencies)
  if (end.kind !== 'ran') return end
  const { execution } = end
  const isStopped = execution.ending === 'cancelled' && request.signal.aborted
  if (dependencies.record === null || isStopped) return { kind: 'ran', execution, recorded: null }
  const { outcome } = await conclude(turn, end, dependencies)
  return { kind: 'ran', execution, recorded: outcome.id }
}

const atOnce = async (): Promise<void> => {}
