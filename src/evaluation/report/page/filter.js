/** @typedef {import('./query-list.js').QueryList} QueryList */
/**
 * @typedef {object} Wanted
 * @property {string} text words that must all be in the query or its id
 * @property {string} part number of the part; empty for all
 * @property {string} group number of the group; empty for all
 * @property {string} match number of the match; empty for all
 * @property {string} change `worse`, `better`, `same`, or empty
 * @property {string} reasons `kept` for queries whose reasons are in the page, else empty
 * @property {string} order `run`, `low`, `high`, `loss` or `win`
 */

/** Changes smaller than this are roundings. */
const leastChange = 0.00015

/** Whether a change is more than a rounding. @param {number} change */
export const isWorse = (change) => change <= -leastChange

/** Whether a change is more than a rounding. @param {number} change */
export const isBetter = (change) => change >= leastChange

/** Change of the headline measure; NaN when the baseline lacks the query. @param {QueryList} list @param {number} at */
export const changeOf = (list, at) =>
  (list.measures[0]?.[at] ?? Number.NaN) - (list.baseline[at] ?? Number.NaN)

/** @param {QueryList} list @param {Wanted} wanted @returns {(at: number) => boolean} */
function admits(list, { text, part, group, match, change, reasons }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const lowered = words.length === 0 ? [] : list.lowered()
  /** @param {number} at */
  const changed = (at) => {
    const by = changeOf(list, at)
    if (change === 'worse') return isWorse(by)
    if (change === 'better') return isBetter(by)
    return Math.abs(by) < leastChange
  }
  return (at) =>
    (part === '' || list.part[at] === Number(part)) &&
    (group === '' || list.group[at] === Number(group) + 1) &&
    (match === '' || list.match[at] === Number(match)) &&
    (change === '' || changed(at)) &&
    (reasons === '' || (list.reasons[at] ?? 0) > 0) &&
    words.every((word) => lowered[at]?.includes(word))
}

/** The number by which queries are sorted, smallest first. @param {QueryList} list @param {string} order */
function keyOf(list, order) {
  const value = (/** @type {number} */ at) => list.measures[0]?.[at] ?? Number.NaN
  if (order === 'low') return value
  if (order === 'high') return (/** @type {number} */ at) => -value(at)
  if (order === 'loss') return (/** @type {number} */ at) => changeOf(list, at)
  if (order === 'win') return (/** @type {number} */ at) => -changeOf(list, at)
  return undefined
}

/**
 * Positions of the queries that are wanted, in the order wanted; those without the number they are sorted by come last,
 * equals as in the run.
 *
 * @param {QueryList} list
 * @param {Wanted} wanted
 * @returns {readonly number[]}
 */
export function wantedQueries(list, wanted) {
  const admitted = admits(list, wanted)
  const found = Array.from({ length: list.length }, (_, at) => at).filter(admitted)
  const key = keyOf(list, wanted.order)
  if (key === undefined) return found
  const keys = new Map(found.map((at) => [at, Number.isNaN(key(at)) ? Number.POSITIVE_INFINITY : key(at)]))
  const of = (/** @type {number} */ at) => keys.get(at) ?? 0
  return found.sort((a, b) => (of(a) === of(b) ? a - b : of(a) < of(b) ? -1 : 1))
}
