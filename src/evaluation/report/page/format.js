/** A value of a measure in per cent, as the tables of the page have it; a dash for none. @param {number} value */
export const perCent = (value) =>
  Number.isFinite(value) ? (100 * value).toFixed(1).replace(/^-0\.0$/, '0.0') : '–'

/** A difference in points, with its sign, which a value too small to show has not. @param {number} value */
export function signed(value) {
  if (!Number.isFinite(value)) return '–'
  const size = perCent(Math.abs(value))
  return `${Number(size) === 0 ? '±' : value > 0 ? '+' : '−'}${size}`
}

/** A whole number with thousands marked. @param {number} count */
export const counted = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** A text cut to a length. @param {string} text @param {number} letters */
export const shortened = (text, letters) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text)

/** Three digits, whatever the size. @param {number} value */
export const threeDigits = (value) => (value === 0 ? '0' : String(Number(value.toPrecision(3))))
