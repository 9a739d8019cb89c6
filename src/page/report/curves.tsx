import type { PopularityRegime, RankGain } from '../../evaluation/report/curves.ts'
import {
  counted,
  headlineOf,
  perCent,
  probability,
  signed,
  signedInterval,
} from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import type { ProbeTercile } from '../../evaluation/evaluation-run.ts'
import { left, Plot } from '../parts/plot.tsx'
import { type PageColumn, Table } from '../parts/table.tsx'
import { estimates, figure, Section, withBelow } from './show.tsx'

const height = 220

const written = (grade: number): string => grade.toFixed(3)

/** Mean grades from rank to rank, as the run ranks and as the oracle does. */
function Gains({ gains }: { gains: readonly RankGain[] }) {
  const most = Math.max(...gains.map(({ oracle, gain }) => Math.max(oracle, gain)))
  const last = gains.at(-1)?.rank ?? 1
  const down = (grade: number): number => height * (1 - grade / (most || 1))
  const lines = [
    { kind: 'run', name: 'ranking', of: ({ gain }: RankGain) => gain },
    { kind: 'baseline', name: 'oracle', of: ({ oracle }: RankGain) => oracle },
  ]
  const ranks = gains.map(({ rank }) => rank).filter((rank) => rank === 1 || rank === last || rank % 5 === 0)
  return (
    <Plot
      id="curves-chart"
      label="Mean grade by rank of this run and of the oracle; the table below has the numbers"
      height={height}
      range={{ min: 1, max: last }}
      ticks={ranks.map((rank) => [rank, String(rank)])}
    >
      {(scale) => [
        [0, most].map((grade) => (
          <text x={`${left - 1}%`} y={down(grade) + 4} text-anchor="end">
            {grade.toFixed(2)}
          </text>
        )),
        lines.map(({ kind, name, of }) => (
          <g class={kind}>
            {gains.slice(1).map((one, at) => (
              <line
                class="whisker"
                x1={scale(gains[at]!.rank)}
                x2={scale(one.rank)}
                y1={down(of(gains[at]!))}
                y2={down(of(one))}
              />
            ))}
            {gains.map((one) => (
              <circle cx={scale(one.rank)} cy={down(of(one))} r="3">
                <title>{`${name}, rank ${one.rank}: ${written(of(one))}`}</title>
              </circle>
            ))}
          </g>
        )),
      ]}
    </Plot>
  )
}

const gainColumns: readonly PageColumn<RankGain>[] = [
  { title: 'Rank', key: ({ rank }) => rank },
  figure('Ranking', ({ gain }) => gain, written),
  figure('Oracle', ({ oracle }) => oracle, written),
  figure('Share up to here', ({ share }) => share),
]

const tercileColumns: readonly PageColumn<ProbeTercile>[] = [
  { title: 'Variance', key: ({ tercile }) => tercile },
  figure('Probes', ({ probes }) => probes, counted),
  figure('Win rate', ({ winRate }) => winRate),
  ...(['won', 'lost', 'equal'] as const).map((what) =>
    figure<ProbeTercile>(what[0]!.toUpperCase() + what.slice(1), (row) => row[what], counted),
  ),
  {
    title: 'Difference',
    number: true,
    key: ({ difference }) => difference.mean,
    shows: ({ difference }) => withBelow(signed(difference.mean), signedInterval(difference)),
  },
  figure('p', ({ p }) => p, probability),
]

/** What the means hide: grades by rank beside the best order, the headline by how often cards are wanted, and what probes told. */
export function Curves({ facts: { curves, run, titles } }: { facts: ReportFacts }) {
  const { gainByRank, popularity } = curves
  const headline = titles[headlineOf(run)] ?? ''
  const regimes: readonly PageColumn<PopularityRegime>[] = [
    {
      title: 'Wanted by',
      key: ({ least }) => least,
      shows: ({ least, most }) => (least === most ? String(least) : `${least} to ${most}`),
    },
    figure('Queries', ({ estimate }) => estimate.queries, counted),
    estimates(headline, ({ estimate }) => estimate),
  ]
  const probes = run.reranking?.probes ?? []
  return (
    <Section id="curves" title="Curves">
      <p class="note">
        <span class="key run" /> Mean grade of what stands at each rank, beside <span class="key baseline" />{' '}
        that of the best order of all that is judged: of its grades up to there the ranking has{' '}
        {perCent(gainByRank.at(-1)?.share)}%.
      </p>
      <Gains gains={gainByRank} />
      <Table caption="Grades by rank" columns={gainColumns} rows={gainByRank} />
      <Table
        caption="By the number of queries that want the most wanted card of a query"
        columns={regimes}
        rows={popularity}
      />
      {probes.length > 0 && (
        <Table
          caption="Probes by the variance of their grades: queries that a record of them alone ranks better"
          columns={tercileColumns}
          rows={probes}
        />
      )}
    </Section>
  )
}
