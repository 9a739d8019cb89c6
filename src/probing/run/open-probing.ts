import { randomUUID } from 'node:crypto'
import type { Card } from '../../domain/card.ts'
import { allowList } from '../settings/grants.ts'
import { askableTasks } from './profile-file.ts'
import { conclude, execute, type ExecutionDependencies } from './execute-once.ts'
import type { JudgePanel } from '../judges/combine-judges.ts'
import type { KeptProbes } from '../record/kept-probes.ts'
import { type KeptRuns, maskKept } from '../record/mask-kept.ts'
import { planLaunch } from './plan-launch.ts'
import type { ExecutionLimits, Executor, ProbeWriter, Task, TrackRecord, TranscriptEvent } from '../ports.ts'
import { auditionReport, followRace } from '../auditions/audition.ts'
import { probe, type Retire } from './probe.ts'
import type { ProbeReport } from './probe-report.ts'
import { type ProbeCall, type Probing, ProbingError, type RunReport, type TaskChoice } from './probing.ts'
import { given, type Settings } from '../settings/settings.ts'
import { changeAllow, readSettings } from '../settings/settings-file.ts'
import type { Transcripts } from '../record/transcripts.ts'

/** What probing needs of its surroundings. What is a function is opened at its first use. */
export type ProbingSurroundings = {
  /** Of the settings, `allow` has what is allowed for this once too. */
  readonly executors: (settings: Settings) => readonly Executor[]
  readonly openJudge: () => Promise<JudgePanel>
  /** Null when no language model is configured. */
  readonly openWriter: () => Promise<ProbeWriter | null>
  readonly openRecord: () => Promise<TrackRecord>
  readonly transcripts: Transcripts
  /** What is kept of runs elsewhere, and may hold the same secrets. @defaultValue nothing */
  readonly keptElsewhere?: () => Promise<KeptRuns>
  readonly keptProbes: KeptProbes
  /** Tasks that a card brings, at most so many. */
  readonly ownTasks: (card: Card, count: number) => Promise<readonly Task[]>
  readonly settingsFile: string
  /** Absolute folder of the bundled catalog, for the word `bundled`. */
  readonly catalog: string
}

/** Probing over these surroundings. Settings are read anew for each call: a server obeys what its user changes. */
export function openProbing(surroundings: ProbingSurroundings): Probing {
  const { settingsFile, transcripts } = surroundings

  const basis = async ({ allow = [], inHost = false }: Pick<ProbeCall, 'allow' | 'inHost'> = {}) => {
    const read = await readSettings(settingsFile)
    const settings: Settings = inHost ? { ...read, subagents: 'claude' } : read
    const patterns = [...settings.allow, ...allow]
    return {
      settings,
      executors: surroundings.executors({ ...settings, allow: patterns }),
      allow: allowList(patterns, surroundings.catalog),
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
  ): Promise<TrackRecord> {
    const record = await surroundings.openRecord()
    const planned = await Promise.all(cards.map((card) => planLaunch(card, executors, allow)))
    if (planned.some(({ notRun }) => notRun === null)) await record.requireWritable()
    return record
  }

  async function tasksFor(
    cards: readonly Card[],
    choice: TaskChoice,
    signal: AbortSignal | undefined,
  ): Promise<(card: Card) => Promise<readonly Task[]>> {
    switch (choice.kind) {
      case 'own':
        return (card) => surroundings.ownTasks(card, choice.count)
      case 'given':
        return async () => choice.tasks
      case 'written': {
        const tasks = (await writtenFor(choice, cards, signal)).map((text) => ({ text }))
        return async () => tasks
      }
    }
  }

  /** Tasks that told candidates apart before, then new ones. */
  async function writtenFor(
    { goal, count }: Extract<TaskChoice, { readonly kind: 'written' }>,
    cards: readonly Card[],
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]> {
    const kept = (await surroundings.keptProbes.of(goal)).slice(0, count)
    if (kept.length === count) return kept
    const writer = await surroundings.openWriter()
    if (writer === null && kept.length > 0) return kept
    if (writer === null) throw noWriter()
    const fresh = await writer.write({ goal, candidates: cards, count: count - kept.length }, signal)
    return [...new Set([...kept, ...fresh])].slice(0, count)
  }

  const probeCards = async (
    { cards, tasks, limits = {}, budget = {}, signal, onEvent, ...allowed }: ProbeCall,
    retire?: Retire,
  ): Promise<ProbeReport> => {
    const { settings, ...start } = await basis(allowed)
    const record = await recordOf(cards, start)
    const tasksOf = await tasksFor(cards, tasks, signal)
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
        transcripts,
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

  return {
    probe: (call) => probeCards(call),
    async audition(call) {
      const race = followRace()
      return auditionReport(await probeCards(call, race.retire), race)
    },

    async plan({ cards, tasks, ...asked }) {
      const { executors, allow: allowed } = await basis(asked)
      const isAsked = tasks.kind === 'own' || (tasks.kind === 'given' && tasks.tasks.length > 0)
      const tasksOf = isAsked ? await tasksFor(cards, tasks, undefined) : async () => []
      return Promise.all(
        cards.map(async (card) => {
          const { launch, notRun } = await planLaunch(card, executors, allowed)
          const askable = askableTasks(card, await tasksOf(card))
          return { card, launch, notRun: notRun ?? (isAsked ? askable.notRun : null), tasks: askable.tasks }
        }),
      )
    },

    async run({ card, task, limits = {}, signal, onEvent, ...allowed }) {
      const { settings, ...start } = await basis(allowed)
      const dependencies: ExecutionDependencies = {
        ...start,
        ...clock,
        judge: settings.recordRuns ? await surroundings.openJudge() : nobody,
        record: settings.recordRuns ? await recordOf([card], start) : null,
        transcripts,
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
    },

    async maskKept({ cards, write }) {
      const { executors } = await basis()
      const found = await Promise.all(cards.map((card) => secretsOf(card, executors)))
      const secrets = [...new Set(found.flat())]
      const way = { secrets, write }
      const own = await maskKept({ record: await surroundings.openRecord(), transcripts }, way)
      const elsewhere = await surroundings.keptElsewhere?.()
      if (elsewhere === undefined) return own
      const other = await maskKept(elsewhere, way)
      return {
        outcomes: own.outcomes + other.outcomes,
        transcripts: own.transcripts + other.transcripts,
      }
    },
    transcript: (outcome) => transcripts.read(outcome),
    transcriptFile: (outcome) => transcripts.fileOf(outcome),
    settings: async () => ({ ...(await readSettings(settingsFile)), file: settingsFile }),
    changeAllow: (change) => changeAllow(settingsFile, change),
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

const noWriter = (): ProbingError =>
  new ProbingError(
    'Tasks for a goal are written by a language model, and none is configured.',
    'Give a task, or name a model in AUDITION_LLM.',
  )

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
