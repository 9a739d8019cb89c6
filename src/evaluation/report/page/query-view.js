import { changeOf, isBetter, isWorse } from './filter.js'
import { element } from './dom.js'
import { counted, perCent, signed, threeDigits } from './format.js'

/** @typedef {import('../report-facts.ts').PageFacts} PageFacts */
/** @typedef {import('./query-list.js').QueryList} QueryList */
/** @typedef {import('./query-details.js').ShownCandidate} ShownCandidate */
/** @typedef {import('./query-details.js').ShownRelevant} ShownRelevant */
/** @typedef {import('./query-details.js').QueryDetails} QueryDetails */

const matches = ['fits well', 'fits weakly', 'nothing fits']

/** @param {number} change */
const changeClass = (change) => (isWorse(change) ? 'worse' : isBetter(change) ? 'better' : 'same')

/** Part and group of a query. @param {PageFacts} facts @param {QueryList} list @param {number} at */
export function placeOf({ queries }, list, at) {
  const group = list.group[at] ?? 0
  const part = queries.parts[list.part[at] ?? 0] ?? ''
  return group === 0 ? part : `${part} · ${queries.groups[group - 1] ?? ''}`
}

/**
 * A row of the list: the query, where it is from, the headline measure and its change.
 *
 * @param {PageFacts} facts @param {QueryList} list @param {HTMLElement} row @param {number} at
 */
export function fillRow(facts, list, row, at) {
  const value = list.measures[0]?.[at] ?? Number.NaN
  const meter = element('span', { class: 'meter', 'aria-hidden': 'true' }, element('span', {}))
  const bar = meter.firstElementChild
  if (bar instanceof HTMLElement) bar.style.width = `${100 * Math.max(0, Math.min(1, value || 0))}%`
  const numbers = element('span', { class: 'numbers' }, meter, perCent(value))
  if (facts.queries.hasBaseline) {
    const change = changeOf(list, at)
    numbers.append(' ', element('span', { class: `by ${changeClass(change)}` }, signed(change)))
  }
  row.append(
    element('span', { class: 'text', dir: 'auto' }, list.texts[at] ?? ''),
    element(
      'span',
      { class: 'below' },
      element('span', { class: 'place' }, placeOf(facts, list, at)),
      numbers,
    ),
  )
}

/** @param {number} rank @param {number} before @param {boolean} hasBaseline */
function ranksText(rank, before, hasBaseline) {
  const now = rank === 0 ? 'not retrieved' : `rank ${rank}`
  if (!hasBaseline) return now
  return `${now}, ${before === 0 ? 'not in the baseline' : `rank ${before} in the baseline`}`
}

/** @param {string} name @param {...(string | Node)} values */
const fact = (name, ...values) => element('div', {}, element('dt', {}, name), element('dd', {}, ...values))

/** Ids, each in its own box. @param {readonly string[]} ids */
const idBoxes = (ids) => ids.map((id) => element('code', { dir: 'auto' }, id))

/** Why a candidate stands where it does. @param {ShownCandidate['signals']} signals */
function why(signals) {
  if (signals === undefined) return []
  const { lexical, dense, crossEncoder, coverage, matched, lift, facets, duplicates } = signals
  const words = matched.map((word) => element('span', { class: 'word', dir: 'auto' }, word))
  const facts = [fact('covers', `${Math.round(coverage * 100)}% of the query`)]
  if (lexical !== undefined) facts.push(fact('BM25', threeDigits(lexical)))
  if (dense !== undefined) facts.push(fact('cosine', dense.toFixed(2)))
  if (crossEncoder !== undefined) facts.push(fact('cross-encoder', crossEncoder.toFixed(3)))
  if (lift !== undefined)
    facts.push(fact('lifted', `${Math.round(lift.share * 100)}% by `, ...idBoxes([lift.from])))
  if (facets.length > 0) facts.push(fact('best for steps', facets.map((facet) => facet + 1).join(', ')))
  if (duplicates.length > 0) facts.push(fact('stands for', ...idBoxes(duplicates)))
  if (words.length > 0) facts.push(fact('words', ...words))
  return [element('dl', { class: 'why' }, ...facts)]
}

/** @param {ShownCandidate} candidate @param {boolean} hasBaseline */
function candidateItem({ id, score, grade, before, signals }, hasBaseline) {
  const judged =
    grade > 0
      ? element('span', { class: 'grade relevant' }, `relevant, grade ${grade}`)
      : element('span', { class: 'grade' }, 'not relevant')
  const moved = hasBaseline
    ? [
        element(
          'span',
          { class: 'before' },
          before === 0 ? 'not in the baseline' : `${before} in the baseline`,
        ),
      ]
    : []
  return element(
    'li',
    { class: grade > 0 ? 'is-relevant' : '' },
    element(
      'div',
      { class: 'who' },
      element('code', { dir: 'auto' }, id),
      judged,
      element('span', { class: 'score' }, `score ${threeDigits(score)}`),
      ...moved,
    ),
    ...why(signals),
  )
}

/** @param {ShownRelevant} relevant @param {boolean} hasBaseline */
const relevantItem = ({ id, grade, rank, before }, hasBaseline) =>
  element(
    'li',
    {},
    element('code', { dir: 'auto' }, id),
    ` grade ${grade}: ${ranksText(rank, before, hasBaseline)}`,
  )

/** Why a query shows no reasons. @param {PageFacts['queries']} facts */
const unexplainedText = ({ full, queries }) =>
  full === queries
    ? 'The run did not keep why these candidates are there.'
    : `Why these candidates are there is not in this page, which keeps it for ${counted(full)} of ${counted(queries)} queries. The file of the run (run.json.gz) has it.`

/**
 * One query with its measures, its relevant candidates and its ranking.
 *
 * @param {PageFacts} facts @param {QueryList} list @param {QueryDetails} details @param {number} at
 * @returns {readonly Node[]}
 */
export function queryView(facts, list, details, at) {
  const { hasBaseline, measures } = facts.queries
  const values = measures.flatMap((name, number) => {
    const value = list.measures[number]?.[at] ?? Number.NaN
    if (Number.isNaN(value)) return []
    const title = facts.measures.find((measure) => measure.name === name)?.title ?? name
    const change = number === 0 && hasBaseline ? changeOf(list, at) : Number.NaN
    const by = Number.isNaN(change)
      ? []
      : [' ', element('span', { class: changeClass(change) }, signed(change))]
    return [fact(title, perCent(value), ...by)]
  })
  const unexplained =
    details.candidates.length > 0 && details.candidates.every(({ signals }) => signals === undefined)
  return [
    element('h3', { id: 'query-title', dir: 'auto', tabindex: '-1' }, list.texts[at] ?? ''),
    element('p', { class: 'note' }, `${placeOf(facts, list, at)} · ${list.ids[at] ?? ''}`),
    element(
      'dl',
      { class: 'facts' },
      ...values,
      fact('answer said', matches[list.match[at] ?? 0] ?? ''),
      fact('tokens', counted(list.tokens[at] ?? 0)),
    ),
    element('h4', {}, 'Relevant'),
    details.relevant.length === 0
      ? element('p', {}, 'Nothing in the corpus serves this query: the right answer is that nothing fits.')
      : element(
          'ul',
          { class: 'relevants' },
          ...details.relevant.map((one) => relevantItem(one, hasBaseline)),
        ),
    element('h4', {}, 'Ranking'),
    details.candidates.length === 0
      ? element('p', {}, 'Nothing was found.')
      : element(
          'ol',
          { class: 'candidates' },
          ...details.candidates.map((one) => candidateItem(one, hasBaseline)),
        ),
    ...(unexplained ? [element('p', { class: 'note' }, unexplainedText(facts.queries))] : []),
  ]
}
