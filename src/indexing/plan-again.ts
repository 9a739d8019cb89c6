import { setTimeout as wait } from 'node:timers/promises'
import { OvertakenError } from '../store/catalog-writer.ts'

/** How a change is planned and committed that other writers may overtake. */
export type PlanAgainOptions = {
  /** Called each time that it was overtaken and begins again. */
  readonly onOvertaken?: () => void
  /** Milliseconds before it begins again, the first time; up to twice as long each next time. @defaultValue 200 */
  readonly pauseMs?: number
  readonly signal?: AbortSignal
}

/** Plans of one change, when others overtake each of them. */
const mostPlans = 5

/**
 * Reads the store, plans and commits; all of it again when other writers changed what it was planned on.
 *
 * @param change - opens the store anew each time
 * @throws OvertakenError when others came first every time
 */
export async function planAgain<T>(
  change: () => Promise<T>,
  { onOvertaken, pauseMs = 200, signal }: PlanAgainOptions = {},
): Promise<T> {
  for (let plan = 1; ; plan += 1) {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof OvertakenError) || plan === mostPlans) throw error
    }
    onOvertaken?.()
    // By chance, so that writers who met once do not meet again.
    await wait(pauseMs * 2 ** (plan - 1) * (0.5 + Math.random()), undefined, signal ? { signal } : {})
  }
}
