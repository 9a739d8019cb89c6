import { InputError } from '../shared/input-error.ts'

const numerals: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

/** @param value - integer 1..3999 */
export function toRoman(value: number): string {
  let rest = value
  let text = ''
  for (const [worth, letters] of numerals) {
    while (rest >= worth) {
      text += letters
      rest -= worth
    }
  }
  return text
}

/** Reads the standard form only: IX, never VIIII. @throws InputError */
export function fromRoman(text: string): number {
  const letters = text.trim().toUpperCase()
  let value = 0
  let rest = letters
  for (const [worth, numeral] of numerals) {
    while (rest.startsWith(numeral)) {
      value += worth
      rest = rest.slice(numeral.length)
    }
  }
  if (rest !== '' || letters === '' || value > 3999 || toRoman(value) !== letters) {
    throw new InputError(
      `"value": "${text}" is no standard Roman numeral. Send one like "MMXXVI", from I to MMMCMXCIX.`,
    )
  }
  return value
}
