import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { counted, headlineOf, perCent } from '../../evaluation/report/numbers.ts'
import {
  fullText,
  type PackedDetails,
  type PackedList,
  type QueryFacts,
} from '../../evaluation/report/packed-queries.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { Choice, Pages } from '../parts/controls.tsx'
import { changeOf, detailsOf, everything, type Wanted, wantedQueries } from './query-data.ts'
import { Change, matches, placeOf, QueryDialog } from './query-dialog.tsx'
import { Section } from './show.tsx'

/** What of the queries had to be left out, in sentences; empty when everything is here. */
function leftOut({
  queries,
  ofQueries,
  full,
  letters,
  candidates,
  hasBaseline,
}: QueryFacts): readonly string[] {
  const by = hasBaseline ? 'those that changed most' : 'those with the lowest values'
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

/** The queries of a report: each part is unpacked when it is first asked for. */
export type Packed = { list(): Promise<PackedList>; details(): Promise<PackedDetails> }

/** A query that another part of the page wants to be shown. */
export type Asked = { readonly part: string; readonly id: string }

type Props = {
  readonly facts: ReportFacts
  readonly asked: Asked | undefined
  readonly read: Packed
}

/** The list of queries with its filters, and the dialog that shows one. It is unpacked when it comes near. */
export function QueriesSection({ facts, asked, read }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [list, setList] = useState<PackedList>()
  const cuts = leftOut(facts.queries)
  useEffect(() => {
    const near = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void read.list().then(setList)
      },
      { rootMargin: '600px' },
    )
    if (place.current) near.observe(place.current)
    return () => near.disconnect()
  }, [read])
  useEffect(() => {
    if (asked !== undefined) void read.list().then(setList)
  }, [read, asked])
  return (
    <Section id="queries" title="Queries">
      <p class="note live">Choose a query to see its candidates, and why each is there.</p>
      {cuts.length > 0 && (
        <p class="cuts">
          <strong>To keep this page small, not all is in it.</strong> {cuts.join(' ')}
        </p>
      )}
      <p class="on-paper">The list of queries is in the file itself: open it in a browser.</p>
      <noscript>
        <p class="note">The list of queries needs JavaScript. The rest does not.</p>
      </noscript>
      <div ref={place} class="live">
        {list && <Explorer facts={facts} list={list} read={read} asked={asked} />}
      </div>
    </Section>
  )
}

/** A query of the list: where it is from, the headline measure and its change. */
function Row({
  facts: { queries },
  list,
  at,
}: {
  readonly facts: ReportFacts
  readonly list: PackedList
  readonly at: number
}) {
  const value = list.measures[0]?.[at] ?? undefined
  return (
    <>
      <span class="text" dir="auto">
        {list.texts[at]}
      </span>
      <span class="below">
        <span class="place">{placeOf(queries, list, at)}</span>
        <span>
          <meter aria-hidden="true" value={Math.max(0, value ?? 0)} /> {perCent(value)}{' '}
          {queries.hasBaseline && <Change by={changeOf(list, at)} />}
        </span>
      </span>
    </>
  )
}

function Explorer({ facts, list, read, asked }: Props & { readonly list: PackedList }) {
  const [details, setDetails] = useState<PackedDetails>()
  const [wanted, want] = useState(everything)
  const [opened, setOpened] = useState<number>()
  const [missing, setMissing] = useState(false)
  const shown = useMemo(() => wantedQueries(list, wanted), [list, wanted])
  useEffect(() => {
    if (asked === undefined) return
    const part = facts.queries.parts.indexOf(asked.part)
    const query = list.ids.findIndex((id, at) => id === asked.id && list.part[at] === part)
    setMissing(query === -1)
    if (query === -1) return
    const at = shown.indexOf(query)
    if (at === -1) want(everything)
    // With nothing filtered a query stands where it stands in the run.
    setOpened(at === -1 ? query : at)
  }, [asked])
  useEffect(() => {
    if (opened !== undefined) void read.details().then(setDetails)
  }, [read, opened])
  const query = opened === undefined ? undefined : shown[opened]
  return (
    <>
      <Filters
        facts={facts.queries}
        headline={facts.titles[headlineOf(facts.run)] ?? ''}
        wanted={wanted}
        want={want}
      />
      <p id="query-count" class="note" role="status">
        {missing
          ? 'That query is not kept in this report; the run’s own file has it.'
          : `${counted(shown.length)} of ${counted(list.texts.length)} queries`}
      </p>
      <Pages
        key={JSON.stringify(wanted)}
        id="query-list"
        count={shown.length}
        row={(at) => <Row facts={facts} list={list} at={shown[at] ?? 0} />}
        open={setOpened}
      />
      {details && query !== undefined && opened !== undefined && (
        <QueryDialog
          shown={{ facts, list, details: detailsOf(details, query), query }}
          at={opened}
          of={shown.length}
          go={setOpened}
        />
      )}
    </>
  )
}

type Options = readonly (readonly [value: string, shows: string])[]

const numbered = (names: readonly string[]): Options => [
  ['', 'all'],
  ...names.map((name, at) => [String(at), name] as const),
]

/** Choices by what they filter; those without options are not offered. */
function choicesOf(
  facts: QueryFacts,
  headline: string,
): readonly (readonly [keyof Wanted, string, Options])[] {
  const { parts, groups, hasBaseline, full, queries } = facts
  const changes = ['worse', 'better', 'same'].map(
    (name) => [name, name === 'same' ? 'the same' : name] as const,
  )
  return [
    ['part', 'Part', numbered(parts)],
    ['group', 'Group', groups.length === 0 ? [] : numbered(groups)],
    ['match', 'Answer said', [['', 'anything'], ...Object.entries(matches)]],
    ['change', 'Against baseline', hasBaseline ? [['', 'anything'], ...changes] : []],
    [
      'reasons',
      'Reasons',
      full === 0 || full === queries
        ? []
        : [
            ['', 'kept or not'],
            ['kept', 'kept here'],
          ],
    ],
    [
      'order',
      'Order',
      [
        ['run', 'as in the run'],
        ['low', `${headline}, lowest first`],
        ['high', `${headline}, highest first`],
        ...(hasBaseline
          ? ([
              ['loss', 'largest loss first'],
              ['win', 'largest win first'],
            ] as const)
          : []),
      ],
    ],
  ]
}

/** What narrows the list of queries. */
function Filters({
  facts,
  headline,
  wanted,
  want,
}: {
  readonly facts: QueryFacts
  readonly headline: string
  readonly wanted: Wanted
  want(wanted: Wanted): void
}) {
  return (
    <search class="filters">
      <label class="choice wide">
        Search{' '}
        <input
          type="search"
          name="text"
          placeholder="words of the query, or its id"
          autocomplete="off"
          value={wanted.text}
          onInput={({ currentTarget }) => want({ ...wanted, text: currentTarget.value })}
        />
      </label>
      {choicesOf(facts, headline)
        .filter(([, , options]) => options.length > 0)
        .map(([name, title, options]) => (
          <Choice
            title={title}
            name={name}
            value={wanted[name]}
            options={options}
            choose={(value) => want({ ...wanted, [name]: value })}
          />
        ))}
    </search>
  )
}
