import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import type { FindingGroup, ReportFacts } from '../../evaluation/report/report-facts.ts'
import type { ReportQuery } from '../../evaluation/report/report-queries.ts'
import { Theme } from '../parts/controls.tsx'
import { Bars, Intervals, Latency } from './charts.tsx'
import { Curves } from './curves.tsx'
import { Changed, Differences } from './comparison.tsx'
import { Header } from './header.tsx'
import { Categories, Measures, Parts } from './measures.tsx'
import { QueriesSection } from './queries.tsx'
import { QueryDialog } from './query-dialog.tsx'
import type { SearchFinding } from '../../evaluation/self/findings.ts'
import { counted, perCent } from '../../evaluation/report/numbers.ts'
import { figure, ids, Section, withInterval } from './show.tsx'
import { isVerdictMeasure } from '../../evaluation/measures/measures.ts'
import { betterThan, letterOf, tookIn } from '../../evaluation/reranking/better-than.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import type { Estimates, RerankerCounts, RerankingTable } from '../../evaluation/evaluation-run.ts'
import { type PageColumn, Table } from '../parts/table.tsx'

const losses = { id: 'regressions', title: 'Largest losses', none: 'No query got worse.' }
const wins = { id: 'wins', title: 'Largest wins', none: 'No query got better.' }

type Props = { facts: ReportFacts; queries?: readonly ReportQuery[] }

/** A run as a page. The same markup is written by the document and taken over by the browser, which adds the queries. */
export function Report({ facts, queries }: Props) {
  const [opened, setOpened] = useState<{ among: readonly ReportQuery[]; at: number }>()
  const { findings, comparison, run, titles } = facts
  const open = (among: readonly ReportQuery[], at: number): void => setOpened({ among, at })
  const openOne = (at: number): void => open(queries ?? [], at)
  const places: readonly (readonly [id: string, title: string, content: ComponentChild])[] = [
    ['findings', 'Findings', findings && <Findings groups={findings} />],
    ['measures', 'Measures', <Measures facts={facts} />],
    ['reranking', 'Reranking', run.reranking && <Reranking facts={facts} table={run.reranking} />],
    ['categories', 'Categories', Object.keys(run.categories).length > 0 && <Categories facts={facts} />],
    ['parts', 'Parts', <Parts facts={facts} />],
    ['curves', 'Curves', facts.curves.gainByRank.length > 0 && <Curves facts={facts} />],
    ['intervals', 'Intervals', <Intervals facts={facts} />],
    ['bars', 'Part by part', comparison && <Bars facts={facts} comparison={comparison} />],
    ['comparison', 'Comparison', comparison && <Differences comparison={comparison} titles={titles} />],
    [
      'regressions',
      'Losses',
      comparison && <Changed {...losses} changed={comparison.regressions} queries={queries} open={openOne} />,
    ],
    [
      'wins',
      'Wins',
      comparison && <Changed {...wins} changed={comparison.wins} queries={queries} open={openOne} />,
    ],
    ['latency', 'Latency', <Latency facts={facts} />],
    ['queries', 'Queries', <QueriesSection facts={facts} queries={queries} open={open} />],
  ]
  const shown = places.filter(([, , content]) => content)
  return (
    <>
      <a class="skip" href={`#${shown[0]?.[0]}`}>
        Skip to the results
      </a>
      <Header facts={facts} />
      <nav aria-label="Sections">
        <div class="scroll">
          {shown.map(([id, title]) => (
            <a href={`#${id}`}>{title}</a>
          ))}
        </div>
        <Theme />
      </nav>
      <main>{shown.map(([, , content]) => content)}</main>
      {opened && (
        <QueryDialog
          facts={facts}
          queries={opened.among}
          at={opened.at}
          go={(at) => (at === undefined ? setOpened(undefined) : open(opened.among, at))}
        />
      )}
    </>
  )
}

/** Findings of a kind that stand open, and other cards named of one. */
const open = 10
const namedOthers = 5

function Row({ finding: { card, message, others } }: { finding: SearchFinding }) {
  const unnamed = others.filter((other) => !message.includes(other))
  const more = unnamed.length - namedOthers
  return (
    <li>
      <code dir="auto">{card}</code> <span dir="auto">{message}</span>{' '}
      {unnamed.length > 0 && <small>see {ids(unnamed.slice(0, namedOthers))}</small>}
      {more > 0 && <small>and {counted(more)} more</small>}
    </li>
  )
}

const List = ({ findings }: Pick<FindingGroup, 'findings'>) => (
  <ul>
    {findings.map((finding) => (
      <Row finding={finding} />
    ))}
  </ul>
)

/** A text whose commands stand between backticks. */
const withCommands = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))

const Group = ({ title, remedy, count, findings }: FindingGroup) => (
  <>
    <h3>
      {title} <small>{counted(count)}</small>
    </h3>
    <p>
      <strong>Fix:</strong> {withCommands(remedy)}
    </p>
    <List findings={findings.slice(0, open)} />
    {findings.length > open && (
      <details>
        <summary>{counted(count - open)} more</summary>
        <List findings={findings.slice(open)} />
        {count > findings.length && (
          <p class="note">
            {counted(count - findings.length)} more are not in this page:{' '}
            <code>audition evaluate --self --json</code> lists them all.
          </p>
        )}
      </details>
    )}
  </>
)

/** What keeps cards of the user's index from being found, by kind and fix, worst first. */
const Findings = ({ groups }: { groups: readonly FindingGroup[] }) => (
  <Section id="findings" title="Findings">
    <p>
      {groups.length === 0
        ? 'Nothing keeps a card from being found.'
        : 'What keeps cards of your index from being found, worst first, and what to do about it.'}
    </p>
    {groups.map((group) => (
      <Group {...group} />
    ))}
  </Section>
)

type Row = RerankerCounts & {
  readonly at?: number
  readonly name: string
  readonly estimates: Estimates
  readonly published?: { readonly [measure: string]: number }
  readonly above: string
}

/** Orders of the same candidates side by side, a table a part; rows of publications where they may stand beside them. */
function Reranking({ facts: { run, titles }, table }: { facts: ReportFacts; table: RerankingTable }) {
  const shown = run.measures.filter((measure) => !isVerdictMeasure(measure))
  const columns: readonly PageColumn<Row>[] = [
    {
      title: 'Order',
      key: ({ at, name }) => (at === undefined ? `published: ${name}` : `${letterOf(at)}. ${name}`),
    },
    ...shown.map(
      (measure): PageColumn<Row> => ({
        title: titles[measure] ?? measure,
        number: true,
        key: ({ estimates, published }) => estimates[measure]?.mean ?? published?.[measure] ?? -2,
        shows: ({ estimates, published }) =>
          estimates[measure] === undefined ? perCent(published?.[measure]) : withInterval(estimates[measure]),
      }),
    ),
    { title: 'Better than', key: ({ above }) => above },
    figure('Failed', ({ failed }) => failed, counted),
    figure('Requests', ({ requests }) => requests, counted),
    figure('Tokens', ({ tokens }) => tokens, counted),
    figure(
      '$',
      ({ cost }) => cost,
      (cost) => cost.toFixed(4),
    ),
  ]
  return (
    <Section id="reranking" title="Reranking">
      <p class="note">
        Better than: rows that this one is above by {titles[shown[0] ?? '']}, in a paired randomisation test
        with p below 0.05 after Holm’s correction over all pairs of rows.
      </p>
      {table.blocks.map((block) => (
        <>
          <Table
            caption={`${block.part === wholeRow ? 'Mean of all' : block.part}, with 95% intervals`}
            columns={columns}
            rows={[
              ...table.rows.map(({ name }, at) => ({
                name,
                at,
                estimates: block.estimates[at] ?? {},
                above: betterThan(block, at),
                ...tookIn(table, block, at),
              })),
              ...block.published.map(({ name, values }) => ({
                name,
                estimates: {},
                published: values,
                above: '',
              })),
            ]}
          />
          {block.note && <p class="note">{block.note}</p>}
        </>
      ))}
      {table.rows.map(({ name, failure }) => failure && <p class="note">{`${name}: ${failure}`}</p>)}
    </Section>
  )
}
