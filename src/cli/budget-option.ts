import type { Budget } from '../probing/run/budget.ts'
import { UsageError } from './usage-error.ts'

const units = { s: 'seconds', tokens: 'tokens', usd: 'cost' } as const

/**
 * Reads `120s,50000tokens,0.50usd`: what all runs together may use; any part may be left out.
 *
 * @throws UsageError
 */
export function budgetOf(text: string | undefined): Partial<Budget> {
  if (text === undefined) return {}
  const parts = text.split(',').map((part) => {
    const [, number = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(s|tokens|usd)\s*$/i.exec(part) ?? []
    const value = Number(number)
    const name = units[unit.toLowerCase() as keyof typeof units]
    if (name === undefined || value <= 0 || (name === 'tokens' && !Number.isInteger(value))) {
      throw new UsageError(`--budget takes amounts such as 120s,50000tokens,0.50usd, not "${part.trim()}".`)
    }
    return [name, value] as const
  })
  return Object.fromEntries(parts)
}
