import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { counted, perCent } from '../../evaluation/report/numbers.ts'
import type { ReportCandidate, ReportQuery, ReportSignals } from '../../evaluation/report/report-queries.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { placeOf } from './queries.tsx'
import { Change, ids } from './show.tsx'
import { isExplained, matches } from './wanted-queries.ts'

type Facts = readonly (readonly [name: string, value: ComponentChildren])[]

/** Names with their values; those without one are left out. */
const FactList = ({ facts }: { facts: Facts }) => (
  <dl class="facts line">
    {facts.map(
      ([name, value]) =>
        value !== undefined && (
          <div>
            <dt>{name}</dt> <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)

/** Why a candidate stands where it does. */
const whyOf = (signals: ReportSignals): Facts => {
  const { coverage, lexical, dense, reading, crossEncoder, lift, facets, duplicates, matched } = signals
  return [
    ['covers', `${Math.round(100 * coverage)}% of the query`],
    ['BM25', lexical],
    ['cosine', dense?.toFixed(2)],
    ['reading', reading?.toFixed(2)],
    ['cross-encoder', crossEncoder?.toFixed(3)],
    ['lifted', lift && [`${Math.round(lift.share * 100)}% by `, ids([lift.from])]],
    ['best for steps', facets.map((facet) => facet + 1).join(', ') || undefined],
    ['stands for', duplicates.length > 0 ? ids(duplicates) : undefined],
    ['words', matched.length > 0 ? ids(matched) : undefined],
  ]
}

type CandidateProps = { candidate: ReportCandidate; hasBaseline: boolean }

const Candidate = ({ candidate: { id, score, grade, before, signals }, hasBaseline }: CandidateProps) => (
  <li class={grade > 0 ? 'is-relevant' : undefined}>
    <code dir="auto">{id}</code>{' '}
    <small class={grade > 0 ? 'better' : undefined}>
      {grade > 0 ? `relevant, grade ${grade}` : 'not relevant'}
    </small>{' '}
    <small>score {score ?? '–'}</small>{' '}
    {hasBaseline && <small>{before === 0 ? 'not in the baseline' : `${before} in the baseline`}</small>}
    {signals && <FactList facts={whyOf(signals)} />}
  </li>
)

type ViewProps = { facts: ReportFacts; query: ReportQuery }

/** One query with its measures, its relevant candidates and its ranking. */
function QueryView({ facts: { run, titles, queries }, query }: ViewProps) {
  const { hasBaseline, full } = queries
  const { change, relevant, candidates } = query
  const rank = (of: number): string => (of === 0 ? 'not retrieved' : `rank ${of}`)
  const measured = run.measures.map((name, at) => {
    const value = query.measures[name]
    const changed = at === 0 && change !== undefined && <Change by={change} />
    return [titles[name] ?? name, value === undefined ? undefined : [perCent(value), ' ', changed]] as const
  })
  return (
    <>
      <h3 id="query-title" dir="auto" tabIndex={-1}>
        {query.text}
      </h3>
      <p class="note">{`${placeOf(query)} · ${query.id}`}</p>
      <FactList
        facts={[...measured, ['answer said', matches[query.match]], ['tokens', counted(query.tokens)]]}
      />
      <h4>Relevant</h4>
      {relevant.length === 0 && (
        <p>Nothing in the corpus serves this query: the right answer is that nothing fits.</p>
      )}
      <ul>
        {relevant.map(({ id, grade, rank: now, before }) => (
          <li>
            <code dir="auto">{id}</code>
            {` grade ${grade}: ${rank(now)}`}
            {hasBaseline && `, ${before === 0 ? 'not' : rank(before)} in the baseline`}
          </li>
        ))}
      </ul>
      <h4>Ranking</h4>
      {candidates.length === 0 && <p>Nothing was found.</p>}
      <ol class="candidates rows">
        {candidates.map((candidate) => (
          <Candidate candidate={candidate} hasBaseline={hasBaseline} />
        ))}
      </ol>
      {candidates.length > 0 && !isExplained(query) && (
        <p class="note">
          {full === queries.queries
            ? 'The run did not keep why these candidates are there.'
            : `Why these candidates are there is not in this page, which keeps it for ${counted(full)} of ${counted(queries.queries)} queries. The file of the run (run.json.gz) has it.`}
        </p>
      )}
    </>
  )
}

type DialogProps = {
  facts: ReportFacts
  queries: readonly ReportQuery[]
  /** The place among them of the query that is shown. */
  at: number
  /** Shows another one of them; undefined closes. */
  go(at: number | undefined): void
}

/** A query in a dialog, with its neighbours a key away. */
export function QueryDialog({ facts, queries, at, go }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const query = queries[at]
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => document.getElementById('query-title')?.focus(), [query])
  const to = (next: number) => () => next >= 0 && next < queries.length && go(next)
  const keys: Readonly<Record<string, () => void>> = { ArrowLeft: to(at - 1), ArrowRight: to(at + 1) }
  return (
    <dialog
      ref={dialog}
      aria-labelledby="query-title"
      onKeyDown={({ key }) => keys[key]?.()}
      onClose={() => go(undefined)}
    >
      <form method="dialog" class="line">
        <button type="button" disabled={at === 0} onClick={to(at - 1)}>
          Previous
        </button>
        <button type="button" disabled={at + 1 >= queries.length} onClick={to(at + 1)}>
          Next
        </button>
        <span class="note">{`${counted(at + 1)} of ${counted(queries.length)}`}</span>
        <button type="submit">Close</button>
      </form>
      {query && <QueryView facts={facts} query={query} />}
    </dialog>
  )
}
