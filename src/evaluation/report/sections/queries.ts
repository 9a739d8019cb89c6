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

/** What of the queries had to be left out, in sentences; empty when everything is here. */
export function leftOut(facts: PackFacts): string {
  const { queries, ofQueries, full, letters, candidates } = facts
  const said: string[] = []
  if (queries < ofQueries)
    said.push(`${counted(queries)} of ${counted(ofQueries)} queries are listed, those that tell most.`)
  if (full < queries) {
    said.push(
      `${counted(full)} queries that tell most are kept in full, with the reasons for each candidate.`,
      `Of the others, ${candidates} ${candidates === 1 ? 'candidate is' : 'candidates are'} kept`,
    )
    said.push(letters < fullText ? `and ${counted(letters)} letters of the text.` : 'and no reasons.')
  }
  return said.length === 0
    ? ''
    : `To keep this file small: ${said.join(' ')} The run’s own file has everything.`
}

/** The list of queries with its filters, and the dialog that shows one. The page script fills both. */
export function queriesSection({ run, baseline }: ReportInput, facts: PackFacts): Section {
  const headline = measureTitle(headlineOf(run))
  const cuts = leftOut(facts)
  const body = html`
<p class="note screen-only">${`Every query with its ranking. Choose one to see its candidates, and why each is there. ${cuts}`}</p>
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
