import { useMemo, useState } from 'preact/hooks'
import { counted, headlineOf, perCent } from '../../evaluation/report/numbers.ts'
import { fullText, type QueryFacts, type ReportQuery } from '../../evaluation/report/report-queries.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { Choice, type Option, Pages } from '../parts/controls.tsx'
import { Change, Section } from './show.tsx'
import { filters, orders, type Wanted, wantedQueries } from './wanted-queries.ts'

/** What of the queries had to be left out, in sentences; empty when everything is here. */
function leftOut({ queries, ofQueries, full, letters, candidates, hasBaseline }: QueryFacts): string {
  const said: string[] = []
  if (queries < ofQueries) said.push(`Only ${counted(queries)} of ${counted(ofQueries)} queries are listed.`)
  if (full < queries) {
    const by = hasBaseline ? 'those that changed most' : 'those with the lowest values'
    const some = `${counted(full)} of these ${counted(queries)} queries: ${by}, of every part in turn`
    const shown = `${counted(candidates)} ${candidates === 1 ? 'candidate' : 'candidates'}`
    const cut = letters < fullText ? ` and ${counted(letters)} letters of their text` : ''
    said.push(
      `Why each candidate is there (words matched, scores of the retrievers) is kept for ${full === 0 ? 'no query' : some}.`,
      `The others have at most ${shown}${cut}.`,
    )
  }
  return said.length === 0 ? '' : [...said, 'The file of the run (run.json.gz) has everything.'].join(' ')
}

/** Shows one of some queries. */
type Open = (queries: readonly ReportQuery[], at: number) => void

type Props = { facts: ReportFacts; queries: readonly ReportQuery[] | undefined; open: Open }

/** The list of queries with its filters; the page has it a moment after the rest. */
export function QueriesSection({ facts, queries, open }: Props) {
  const cuts = leftOut(facts.queries)
  return (
    <Section id="queries" title="Queries">
      <p class="note live">Choose a query to see its candidates, and why each is there.</p>
      {cuts && (
        <p>
          <strong>To keep this page small, not all is in it.</strong> {cuts}
        </p>
      )}
      <p class="on-paper">The list of queries is in the file itself: open it in a browser.</p>
      <noscript>
        <p class="note">The list of queries needs JavaScript. The rest does not.</p>
      </noscript>
      <div class="live">{queries && <Explorer facts={facts} queries={queries} open={open} />}</div>
    </Section>
  )
}

/** Part and group of a query. */
export const placeOf = ({ part, group }: ReportQuery): string => (group ? `${part} · ${group}` : part)

/** A query of the list: where it is from, the headline measure and its change. */
const Row = ({ query, headline }: { query: ReportQuery; headline: string }) => (
  <>
    <span class="clamped" dir="auto">
      {query.text}
    </span>
    <span class="below">
      <small>{placeOf(query)}</small>
      <span>
        <meter aria-hidden="true" value={Math.max(0, query.measures[headline] ?? 0)} />{' '}
        {perCent(query.measures[headline])} {query.change !== undefined && <Change by={query.change} />}
      </span>
    </span>
  </>
)

function Explorer({ facts, queries, open }: Props & { queries: readonly ReportQuery[] }) {
  const [wanted, want] = useState<Wanted>({})
  const headline = headlineOf(facts.run)
  const found = useMemo(() => wantedQueries(queries, wanted, headline), [queries, wanted])
  return (
    <>
      <Filters queries={queries} headline={facts.titles[headline] ?? ''} wanted={wanted} want={want} />
      <p id="query-count" class="note" role="status">
        {`${counted(found.length)} of ${counted(queries.length)} queries`}
      </p>
      <Pages
        key={JSON.stringify(wanted)}
        id="query-list"
        rows={found}
        shows={(query) => <Row query={query} headline={headline} />}
        open={(at) => open(found, at)}
      />
    </>
  )
}

type FiltersProps = {
  queries: readonly ReportQuery[]
  headline: string
  wanted: Wanted
  want(wanted: Wanted): void
}

/** What narrows the list of queries; a filter that all queries pass alike is not offered. */
function Filters({ queries, headline, wanted, want }: FiltersProps) {
  const choices = useMemo(() => {
    const byNumber = new Intl.Collator('en', { numeric: true }).compare
    return filters.flatMap(({ name, title, chosenBy }) => {
      const values = [...new Set(queries.map(chosenBy))]
      const named = values.filter((value) => value !== undefined).sort(byNumber)
      const options: Option[] = [['', 'all'], ...named.map((value): Option => [value, value])]
      return values.length > 1 ? [{ name, title, options }] : []
    })
  }, [queries])
  const compared = queries.some(({ change }) => change !== undefined)
  const ordered = orders
    .filter(({ ofChange }) => compared || !ofChange)
    .map(({ name, title, ofChange }): Option => [name, ofChange ? title : `${headline}, ${title}`])
  const order = { name: 'order', title: 'Order', options: [['', 'as in the run'] as const, ...ordered] }
  const set = (name: string) => (value: string) => want({ ...wanted, [name]: value })
  return (
    <search class="line">
      <label class="choice wide">
        Search{' '}
        <input
          type="search"
          name="text"
          placeholder="words of the query, or its id"
          autocomplete="off"
          value={wanted.text ?? ''}
          onInput={({ currentTarget }) => set('text')(currentTarget.value)}
        />
      </label>
      {[...choices, order].map((choice) => (
        <Choice {...choice} value={wanted[choice.name] ?? ''} choose={set(choice.name)} />
      ))}
    </search>
  )
}
