import { numbers, texts, wordTexts } from './unpack.js'

/** @typedef {import('../pack/pack-queries.ts').PackFacts} PackFacts */
/** @typedef {(name: string) => Promise<Uint8Array>} ReadColumn */
/** @typedef {Awaited<ReturnType<typeof readList>>} QueryList */

/** Steps of a measure: 0 is none, then -1 to 1 in ten-thousandths. @param {Uint32Array} steps */
function measured(steps) {
  const values = new Float64Array(steps.length)
  for (const [at, step] of steps.entries()) values[at] = step === 0 ? Number.NaN : (step - 10_001) / 10_000
  return values
}

/** Texts packed under a name. @param {ReadColumn} column @param {string} name */
export async function readTexts(column, name) {
  const [shared, lengths, letters] = await Promise.all(
    ['shared', 'lengths', 'letters'].map((part) => column(`${name}.${part}`)),
  )
  if (!shared || !lengths || !letters) throw new Error(`The page has no texts "${name}".`)
  return texts(numbers(shared), numbers(lengths), letters)
}

/**
 * What the list of queries shows, one entry per query.
 *
 * @param {PackFacts} facts
 * @param {ReadColumn} column
 */
export async function readList(facts, column) {
  const read = async (/** @type {string} */ name) => numbers(await column(name))
  const [words, spaced, codes] = await Promise.all([
    readTexts(column, 'spelling'),
    read('spaced'),
    column('text'),
  ])
  const [ids, part, group, match, tokens, reasons, baseline, measures] = await Promise.all([
    readTexts(column, 'query'),
    read('part'),
    read('group'),
    read('match'),
    read('tokens'),
    read('signals'),
    read('baseline'),
    Promise.all(facts.measures.map((_, at) => read(`measure.${at}`))),
  ])
  const queryTexts = wordTexts(words, spaced, codes)
  /** @type {readonly string[] | undefined} */
  let lowered
  return {
    length: facts.queries,
    texts: queryTexts,
    /** Texts with their ids, for finding words whatever their case; made when they are first searched. */
    lowered() {
      lowered ??= queryTexts.map((text, at) => `${text}\n${ids[at]}`.toLowerCase())
      return lowered
    },
    ids,
    part,
    /** 0 for none, else one more than the group's number. */
    group,
    match,
    tokens,
    /** Candidates of which it is kept why they are there. */
    reasons,
    measures: measures.map(measured),
    /** The headline measure in the baseline. */
    baseline: measured(baseline),
  }
}
