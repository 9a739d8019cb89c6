import { useEffect, useRef } from 'preact/hooks'
import { counted, perCent, signed, threeDigits } from '../../evaluation/report/numbers.ts'
import type { PackedList, QueryFacts } from '../../evaluation/report/packed-queries.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import {
  changeName,
  changeOf,
  type QueryDetails,
  type ShownCandidate,
  type ShownRelevant,
  type ShownSignals,
} from './query-data.ts'
import { Fact, ids } from './show.tsx'

export const matches = { good: 'fits well', weak: 'fits weakly', none: 'nothing fits' } as const

/** Part and group of a query. */
export function placeOf({ parts, groups }: QueryFacts, list: PackedList, at: number): string {
  const group = groups[list.group[at] ?? -1]
  return [parts[list.part[at] ?? -1] ?? '', ...(group === undefined ? [] : [group])].join(' · ')
}

/** A change in points, coloured. */
export function Change({ by }: { readonly by: number }) {
  return <span class={`by ${changeName(by)}`}>{Number.isNaN(by) ? '–' : signed(by)}</span>
}

/** Why a candidate stands where it does. */
function Why({ signals }: { readonly signals: ShownSignals }) {
  const { coverage, lexical, dense, crossEncoder, lift, facets = [], duplicates = [], matched } = signals
  return (
    <dl class="facts why">
      <Fact name="covers">{coverage}% of the query</Fact>
      {lexical !== null && <Fact name="BM25">{threeDigits(lexical)}</Fact>}
      {dense !== null && <Fact name="cosine">{(dense / 100).toFixed(2)}</Fact>}
      {crossEncoder !== null && <Fact name="cross-encoder">{crossEncoder.toFixed(3)}</Fact>}
      {lift && (
        <Fact name="lifted">
          {Math.round(lift.share * 100)}% by {ids([lift.from])}
        </Fact>
      )}
      {facets.length > 0 && <Fact name="best for steps">{facets.map((facet) => facet + 1).join(', ')}</Fact>}
      {duplicates.length > 0 && <Fact name="stands for">{ids(duplicates)}</Fact>}
      {matched.length > 0 && <Fact name="words">{ids(matched)}</Fact>}
    </dl>
  )
}

type Compared = { readonly hasBaseline: boolean }

function Candidate({ candidate, hasBaseline }: Compared & { readonly candidate: ShownCandidate }) {
  const { id, score, grade, before, signals } = candidate
  return (
    <li class={grade > 0 ? 'is-relevant' : undefined}>
      <code dir="auto">{id}</code>{' '}
      <small class={grade > 0 ? 'better' : undefined}>
        {grade > 0 ? `relevant, grade ${grade}` : 'not relevant'}
      </small>{' '}
      <small>score {score === null ? '–' : threeDigits(score)}</small>{' '}
      {hasBaseline && <small>{before === 0 ? 'not in the baseline' : `${before} in the baseline`}</small>}
      {signals && <Why signals={signals} />}
    </li>
  )
}

function Relevant({ relevant, hasBaseline }: Compared & { readonly relevant: ShownRelevant }) {
  const { id, grade, rank, before } = relevant
  const now = rank === 0 ? 'not retrieved' : `rank ${rank}`
  const then = before === 0 ? 'not in the baseline' : `rank ${before} in the baseline`
  return (
    <li>
      <code dir="auto">{id}</code> grade {grade}: {hasBaseline ? `${now}, ${then}` : now}
    </li>
  )
}

type Shown = {
  readonly facts: ReportFacts
  readonly list: PackedList
  readonly details: QueryDetails
  /** Its number in the list of all. */
  readonly query: number
}

/** One query with its measures, its relevant candidates and its ranking. */
function QueryView({ facts: { queries, titles }, list, details, query }: Shown) {
  const { hasBaseline, full, measures } = queries
  const change = changeOf(list, query)
  const unexplained = details.candidates.length > 0 && details.candidates.every(({ signals }) => !signals)
  return (
    <div class="view">
      <h3 id="query-title" dir="auto" tabIndex={-1}>
        {list.texts[query]}
      </h3>
      <p class="note">{`${placeOf(queries, list, query)} · ${list.ids[query]}`}</p>
      <dl class="facts">
        {measures.map((name, number) => {
          const value = list.measures[number]?.[query] ?? null
          if (value === null) return null
          return (
            <Fact name={titles[name] ?? name}>
              {perCent(value)} {number === 0 && !Number.isNaN(change) && <Change by={change} />}
            </Fact>
          )
        })}
        <Fact name="answer said">{matches[list.match[query] ?? 'none']}</Fact>
        <Fact name="tokens">{counted(list.tokens[query] ?? 0)}</Fact>
      </dl>
      <h4>Relevant</h4>
      {details.relevant.length === 0 && (
        <p>Nothing in the corpus serves this query: the right answer is that nothing fits.</p>
      )}
      <ul>
        {details.relevant.map((one) => (
          <Relevant relevant={one} hasBaseline={hasBaseline} />
        ))}
      </ul>
      <h4>Ranking</h4>
      {details.candidates.length === 0 && <p>Nothing was found.</p>}
      <ol class="candidates">
        {details.candidates.map((one) => (
          <Candidate candidate={one} hasBaseline={hasBaseline} />
        ))}
      </ol>
      {unexplained && (
        <p class="note">
          {full === queries.queries
            ? 'The run did not keep why these candidates are there.'
            : `Why these candidates are there is not in this page, which keeps it for ${counted(full)} of ${counted(queries.queries)} queries. The file of the run (run.json.gz) has it.`}
        </p>
      )}
    </div>
  )
}

/** A query in a dialog, with its neighbours a key away. */
export function QueryDialog({
  shown,
  at,
  of,
  go,
}: {
  readonly shown: Shown
  /** Its place among the queries that are listed, and how many those are. */
  readonly at: number
  readonly of: number
  /** Shows another one of them; undefined closes. */
  go(at: number | undefined): void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => document.getElementById('query-title')?.focus(), [shown.query])
  const press = ({ key }: KeyboardEvent): void => {
    if (key === 'ArrowLeft' && at > 0) go(at - 1)
    if (key === 'ArrowRight' && at + 1 < of) go(at + 1)
  }
  return (
    <dialog ref={dialog} aria-labelledby="query-title" onKeyDown={press} onClose={() => go(undefined)}>
      <div class="bar">
        <button type="button" disabled={at === 0} onClick={() => go(at - 1)}>
          Previous
        </button>
        <button type="button" disabled={at + 1 >= of} onClick={() => go(at + 1)}>
          Next
        </button>
        <span class="note">{`${counted(at + 1)} of ${counted(of)}`}</span>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <QueryView {...shown} />
    </dialog>
  )
}
