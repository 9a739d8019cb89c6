import { roundTo } from '../shared/rounding.ts'

/** Shares of a bill with tip; they add up to the total to the cent, the first ones carrying the odd cents. */
export function splitBill(amount: number, people: number, tipPercent: number) {
  const tip = roundTo((amount * tipPercent) / 100, 2)
  const total = roundTo(amount + tip, 2)
  const cents = Math.round(total * 100)
  const base = Math.floor(cents / people)
  const odd = cents - base * people
  const shares = Array.from({ length: people }, (_, index) =>
    roundTo((base + (index < odd ? 1 : 0)) / 100, 2),
  )
  return { tip, total, shares }
}
