import type { Card } from '../../domain/card.ts'
import type { AllowList } from '../settings/grants.ts'
import { ArgumentsError, type Executor, type Launch, RuntimeError } from '../ports.ts'
import type { NotRun } from './probe-report.ts'

/** What running a card would start, or why it is not started. */
type PlannedLaunch =
  | { readonly notRun: null; readonly executor: Executor; readonly launch: Launch }
  | { readonly notRun: NotRun; readonly launch: Launch | null }

/** Finds out what running a card would start and whether that is allowed. Starts nothing. */
export async function planLaunch(
  card: Card,
  executors: readonly Executor[],
  allow: AllowList,
): Promise<PlannedLaunch> {
  const executor = executors.find((one) => one.accepts(card))
  if (executor === undefined) return { notRun: notRunnable(card), launch: null }
  try {
    const launch = await executor.plan(card)
    const missing = allow.missing(card, launch)
    if (missing.length === 0)
      return launch.fault === undefined
        ? { notRun: null, executor, launch }
        : { notRun: { kind: 'runtime', ...launch.fault }, launch }
    const changed = allow.changed(missing, launch)
    const changes = changed.length === 0 ? {} : { changed }
    return { notRun: { kind: 'permission', missing, display: launch.display, ...changes }, launch }
  } catch (error) {
    return { notRun: cannotRun(error), launch: null }
  }
}

const notRunnable = (card: Card): NotRun => {
  const { runtime } = card
  if (runtime === undefined) return { kind: 'runtime', ...withoutRuntime(card) }
  const isAgent = card.kind === 'agent'
  return {
    kind: 'runtime',
    message: `it is of a sort that Audition does not run (${runtime.kind}${isAgent ? ` ${card.agentKind}` : ''})`,
    remedy:
      isAgent && card.agentKind === 'toolkit' ? 'Choose one of its tools.' : 'Choose another candidate.',
  }
}

/** What keeps a card without a runtime from running. */
function withoutRuntime(card: Card): Pick<NotRun & { readonly kind: 'runtime' }, 'message' | 'remedy'> {
  if (card.kind === 'agent' && card.agentKind === 'profile')
    return card.provenance.reader === 'profile-yaml'
      ? {
          message: 'its profile names no model to run on',
          remedy:
            'Write one into "backbone" of its file, and run `audition index`. `audition compose` writes it when AUDITION_LLM is set.',
        }
      : {
          message: 'it is an agent of another framework, which is read here and not run',
          remedy: '`audition show --yaml <id>` writes it as a profile that runs, once that is indexed.',
        }
  return {
    message: 'it is known by description only',
    remedy: 'Choose one that can be run: `audition search --runnable`, or search_agents {"runnable": true}.',
  }
}

/** An error of an executor in the words of a report. */
export const cannotRun = (error: unknown): NotRun => ({
  kind: error instanceof ArgumentsError ? 'arguments' : 'runtime',
  message: error instanceof Error ? error.message : String(error),
  remedy: error instanceof RuntimeError ? error.remedy : 'Mend what the message says, and probe again.',
})

/** What can say whether the sandbox that the user asked for works here. */
type Usable = {
  readonly sandbox: { fault(): Promise<(Error & { readonly remedy: string }) | null> }
}

/** @throws RuntimeError when it does not: nothing is started without it, and nothing is said of the card */
export async function assertUsable({ sandbox }: Usable): Promise<void> {
  const fault = await sandbox.fault()
  if (fault !== null) throw new RuntimeError(fault.message, fault.remedy, { cause: fault })
}
