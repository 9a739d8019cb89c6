import { measureTitle } from '../../measure-title.ts'
import { type Html, html } from '../html.ts'
import { counted } from '../numbers.ts'
import { fullText } from '../pack/detail-level.ts'
import type { PackFacts } from '../pack/pack-queries.ts'
import { headlineOf, type ReportInput } from '../report-input.ts'
import type { Section } from '../section.ts'

const choice = (name: string, title: string, options: readonly (readonly [string, string])[]): Html => html`
<label class="choice">${title} <select name="${name}">
${options.map(([value, shows]) => html`<option value="${value}">${shows}</option>\n`)}</select></label>`

const numbered = (names: readonly string[]): readonly (readonly [string, string])[] =>
  names.map((name, at) => [String(at), name])

/**
 * What of the queries had to be left out, in sentences; empty when everything is here.
 *
 * @param by - what the queries kept in full were chosen by
 */
function leftOut(
  { queries, ofQueries, full, letters, candidates }: PackFacts,
  by: string,
): readonly string[] {
  const said: string[] = []
  if (queries < ofQueries) said.push(`Only ${counted(queries)} of ${counted(ofQueries)} queries are listed.`)
  if (full < queries) {
    const shown = `${counted(candidates)} ${candidates === 1 ? 'candidate' : 'candidates'}`
    said.push(
      full === 0
        ? 'Why each candidate is there (words matched, scores of the retrievers) is kept for no query.'
        : `Why each candidate is there (words matched, scores of the retrievers) is kept for ${counted(full)} of these ${counted(queries)} queries: ${by}, of every part in turn.`,
      letters < fullText
        ? `The others have at most ${shown} and ${counted(letters)} letters of their text.`
        : `The others have at most ${shown}.`,
    )
  }
  return said.length === 0 ? [] : [...said, 'The file of the run (run.json.gz) has everything.']
}

/** What had to be left out, where nobody who opens a query can miss it. */
function cuts(facts: PackFacts, by: string): Html | undefined {
  const said = leftOut(facts, by)
  if (said.length === 0) return undefined
  return html`<p class="cuts"><strong>To keep this page small, not all is in it.</strong> ${said.join(' ')}</p>`
}

/** The list of queries with its filters, and the dialog that shows one. The page script fills both. */
export function queriesSection({ run, baseline }: ReportInput, facts: PackFacts): Section {
  const headline = measureTitle(headlineOf(run))
  const by = baseline === undefined ? 'those with the lowest values' : 'those that changed most'
  const body = html`
<p class="note screen-only">Choose a query to see its candidates, and why each is there.</p>
${cuts(facts, by)}
<p class="print-only">The list of queries is in the file itself: open it in a browser.</p>
<noscript><p class="note">The list of queries and the charts need JavaScript. The tables do not.</p></noscript>
<form id="filters" class="screen-only" hidden>
<label class="choice wide">Search <input type="search" name="text" placeholder="words of the query, or its id" autocomplete="off"></label>
${choice('part', 'Part', [['', 'all'], ...numbered(facts.parts)])}
${facts.groups.length === 0 ? undefined : choice('group', 'Group', [['', 'all'], ...numbered(facts.groups)])}
${choice('match', 'Answer said', [
  ['', 'anything'],
  ['0', 'fits well'],
  ['1', 'fits weakly'],
  ['2', 'nothing fits'],
])}
${
  baseline === undefined
    ? undefined
    : choice('change', `Against baseline`, [
        ['', 'anything'],
        ['worse', 'worse'],
        ['better', 'better'],
        ['same', 'the same'],
      ])
}
${
  facts.full === 0 || facts.full === facts.queries
    ? undefined
    : choice('reasons', 'Reasons', [
        ['', 'kept or not'],
        ['kept', 'kept here'],
      ])
}
${choice('order', 'Order', [
  ['run', 'as in the run'],
  ['low', `${headline}, lowest first`],
  ['high', `${headline}, highest first`],
  ...(baseline === undefined
    ? []
    : ([
        ['loss', 'largest loss first'],
        ['win', 'largest win first'],
      ] as const)),
])}
</form>
<p id="query-count" class="note screen-only" role="status"></p>
<div id="query-list" class="screen-only" role="listbox" tabindex="0" aria-label="Queries" hidden></div>
<dialog id="query-dialog" aria-labelledby="query-title"></dialog>`
  return { id: 'queries', title: 'Queries', body }
}
