import { readTexts } from './query-list.js'
import { numbers, startsOf, unzigzag } from './unpack.js'

/** @typedef {import('../pack/pack-queries.ts').PackFacts} PackFacts */
/** @typedef {import('./query-list.js').ReadColumn} ReadColumn */
/**
 * @typedef {object} ShownSignals
 * @property {number | undefined} lexical
 * @property {number | undefined} dense
 * @property {number | undefined} crossEncoder
 * @property {number} coverage 0..1
 * @property {readonly string[]} matched
 * @property {{ from: string, share: number } | undefined} lift
 * @property {readonly number[]} facets from 0
 * @property {readonly string[]} duplicates
 */
/** @typedef {{ id: string, score: number, grade: number, before: number, signals: ShownSignals | undefined }} ShownCandidate */
/** @typedef {{ id: string, grade: number, rank: number, before: number }} ShownRelevant */
/** @typedef {{ candidates: readonly ShownCandidate[], relevant: readonly ShownRelevant[] }} QueryDetails */

/** Steps of the lexical score, as the packer has it. */
const lexicalSteps = 4095

/** The columns of candidates and of what placed them there. */
const candidateNames = ['candidates', 'candidate', 'fall', 'grade', 'before']
const relevantNames = ['relevants', 'relevant', 'relevant.grade', 'relevant.rank', 'relevant.before']
const signalNames = [
  ...['signals', 'words', 'word', 'matched', 'coverage', 'lexical', 'dense', 'crossEncoder'],
  ...['lifter', 'lifted', 'facets', 'duplicates', 'duplicate'],
]

/** Positions of the bits that are set. @param {number} set */
const bitsOf = (set) => Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (set & (1 << bit)) !== 0)

/**
 * Candidates, relevant candidates and signals of queries. A rank of 0 means not retrieved.
 *
 * @param {PackFacts} facts
 * @param {ReadColumn} column
 * @returns {Promise<(query: number) => QueryDetails>}
 */
export async function readDetails(facts, column) {
  const names = [...candidateNames, ...relevantNames, ...signalNames]
  const columns = new Map(
    await Promise.all(names.map(async (name) => /** @type {const} */ ([name, numbers(await column(name))]))),
  )
  const [ids, vocabulary] = await Promise.all([readTexts(column, 'ids'), readTexts(column, 'vocabulary')])
  const none = new Uint32Array()
  /** @param {string} name @param {number} at */
  const at = (name, at) => (columns.get(name) ?? none)[at] ?? 0
  /** @param {string} name */
  const starts = (name) => startsOf(columns.get(name) ?? none)
  const first = {
    candidate: starts('candidates'),
    relevant: starts('relevants'),
    signal: starts('signals'),
    word: starts('words'),
    duplicate: starts('duplicates'),
  }
  const { low, high, steps } = facts.score

  /** @param {Uint32Array} from @param {number} list */
  const range = (from, list) => {
    const start = from[list] ?? 0
    return Array.from({ length: (from[list + 1] ?? start) - start }, (_, place) => start + place)
  }

  /** @param {number} query @param {number} signal @returns {ShownSignals | undefined} */
  const signalsAt = (query, signal) => {
    if (at('coverage', signal) === 0) return undefined
    const words = range(first.word, query).map((word) => vocabulary[at('word', word)] ?? '')
    const lexical = at('lexical', signal)
    const dense = at('dense', signal)
    const crossEncoder = at('crossEncoder', signal)
    const lifter = at('lifter', signal)
    return {
      lexical: lexical === 0 ? undefined : ((lexical - 1) / lexicalSteps) * facts.highestLexical,
      dense: dense === 0 ? undefined : (dense - 1001) / 1000,
      crossEncoder: crossEncoder === 0 ? undefined : (crossEncoder - 1) / 1000 - 1000,
      coverage: (at('coverage', signal) - 1) / 100,
      matched: bitsOf(at('matched', signal)).map((bit) => words[bit] ?? ''),
      lift: lifter === 0 ? undefined : { from: ids[lifter - 1] ?? '', share: at('lifted', signal) / 100 },
      facets: bitsOf(at('facets', signal)),
      duplicates: range(first.duplicate, signal).map((place) => ids[at('duplicate', place)] ?? ''),
    }
  }

  return (query) => {
    const explained = range(first.signal, query)
    let step = steps
    const candidates = range(first.candidate, query).map((place, rank) => {
      step -= unzigzag(at('fall', place))
      const signal = explained[rank]
      return {
        id: ids[at('candidate', place)] ?? '',
        score: low + (step / steps) * (high - low),
        grade: at('grade', place),
        before: at('before', place),
        signals: signal === undefined ? undefined : signalsAt(query, signal),
      }
    })
    const relevant = range(first.relevant, query).map((place) => ({
      id: ids[at('relevant', place)] ?? '',
      grade: at('relevant.grade', place),
      rank: at('relevant.rank', place),
      before: at('relevant.before', place),
    }))
    return { candidates, relevant }
  }
}
