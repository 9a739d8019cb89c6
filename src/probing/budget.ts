import type { Execution, ExecutionLimits } from './ports.ts'

/** What all executions of one probe may use together; null is no limit. */
export type Budget = {
  /** Wall time of the whole probe, seconds > 0. */
  readonly seconds: number | null
  /** Of models, both ways. Integer >= 1. */
  readonly tokens: number | null
  /** US dollars > 0. Executions whose cost is unknown use none of it. */
  readonly cost: number | null
}

export const defaultBudget: Budget = { seconds: 600, tokens: 1_000_000, cost: null }

/** What executions have used. Seconds are wall time since the probe began. */
export type Spent = { readonly seconds: number; readonly tokens: number; readonly cost: number }

/** A share of the budget that one execution holds while it runs. */
type Reservation = {
  readonly limits: ExecutionLimits
  /** The share is less than the limits of an execution: to reach it is the budget's end, and no fault of the candidate's. */
  readonly isReduced: boolean
  /** Gives back what was not used; null when the execution never came about. */
  settle(execution: Pick<Execution, 'tokens' | 'cost'> | null): void
}

/** Keeps count of tokens and money. Time is kept by the probe's deadline. */
export type BudgetAccount = {
  /**
   * A share of what is left: the whole of an execution's limits where possible; less only when nothing else is under way,
   * so that a candidate is not cut short by its neighbours.
   *
   * @returns `later` while others hold what is left, `spent` when nothing is
   */
  reserve(limits: ExecutionLimits): Reservation | 'later' | 'spent'
  spent(): Pick<Spent, 'tokens' | 'cost'>
}

type Amount = 'tokens' | 'cost'
const amounts = ['tokens', 'cost'] as const

/** A account that never gives out more than the budget. */
export function budgetAccount(budget: Budget): BudgetAccount {
  const used = { tokens: 0, cost: 0 }
  const held = { tokens: 0, cost: 0 }
  let underWay = 0
  const left = (amount: Amount): number =>
    (budget[amount] ?? Number.POSITIVE_INFINITY) - used[amount] - held[amount]

  return {
    spent: () => ({ ...used }),
    reserve(limits) {
      const wanted = (amount: Amount): number => limits[amount] ?? Number.POSITIVE_INFINITY
      const isShort = amounts.some((amount) => budget[amount] !== null && left(amount) < wanted(amount))
      if (isShort && underWay > 0) return 'later'
      if (amounts.some((amount) => left(amount) <= 0)) return 'spent'
      const share = (amount: Amount): number | null => {
        const most = Math.min(left(amount), wanted(amount))
        return Number.isFinite(most) ? most : null
      }
      const granted = { tokens: share('tokens'), cost: share('cost') }
      // Without a budget of its own an amount needs no reservation.
      const kept = (amount: Amount): number => (budget[amount] === null ? 0 : (granted[amount] ?? 0))
      const reserved = { tokens: kept('tokens'), cost: kept('cost') }
      for (const amount of amounts) held[amount] += reserved[amount]
      underWay += 1
      let settled = false
      return {
        limits: { ...limits, ...granted },
        isReduced: isShort,
        settle(execution) {
          if (settled) return
          settled = true
          underWay -= 1
          for (const amount of amounts) held[amount] -= reserved[amount]
          used.tokens += execution?.tokens ? execution.tokens.input + execution.tokens.output : 0
          used.cost += execution?.cost ?? 0
        },
      }
    },
  }
}
