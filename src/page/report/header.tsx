import {
  counted,
  duration,
  headlineOf,
  interval,
  pairedRow,
  percent,
  perCent,
  probability,
  signed,
  signedInterval,
} from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'

const corpora = {
  own: 'each part over its own cards',
  joined: 'all parts’ cards joined',
  index: 'over your index',
} as const

/** How rankings were made, in words. */
function settingsOf({ settings }: ReportFacts['run']): readonly string[] {
  const { crossEncoder } = settings
  return [
    `ranker ${settings.ranker}`,
    settings.model === null ? 'no model' : `model ${settings.model}`,
    ...(crossEncoder === undefined
      ? []
      : [`cross-encoder ${crossEncoder.model} over the first ${crossEncoder.depth}`]),
    corpora[settings.corpus],
    `${settings.instruction} instruction`,
    settings.pack === 'ranking' ? 'bare ranking' : 'diverse answers',
    ...(settings.defended ? ['defences on, as against strangers'] : []),
    settings.equivalence === 'strict' ? 'only labelled cards count' : 'copies of relevant cards count',
    `depth ${settings.depth}`,
  ]
}

/** The change against the baseline, with its p-value, for the headline measure over all parts. */
function Change({ facts: { run, comparison } }: { readonly facts: ReportFacts }) {
  const row = pairedRow(comparison, wholeRow, headlineOf(run))
  if (comparison === undefined || row === undefined) return null
  const { mean } = row.difference
  return (
    <p class="change">
      <strong class={row.p >= 0.05 ? '' : mean > 0 ? 'better' : 'worse'}>{signed(mean)}</strong> against{' '}
      {comparison.baseline} <small>{`${signedInterval(row.difference)}, p ${probability(row.p)}`}</small>
    </p>
  )
}

/** Figures beside the headline: what each is, its value, and more of it. */
function tilesOf({
  timing,
  parts,
  matches,
  tokens,
  queries,
}: ReportFacts): readonly (readonly [string, string, string])[] {
  const { p50, p95, p99 } = timing.searchMs
  const share = (match: keyof typeof matches): string => percent(matches[match], queries.ofQueries)
  return [
    [
      'Queries',
      counted(queries.ofQueries),
      `in ${counted(parts.length)} ${parts.length === 1 ? 'part' : 'parts'}`,
    ],
    ['Search, median', duration(p50), `p95 ${duration(p95)}, p99 ${duration(p99)}`],
    ['Whole run', duration(timing.totalMs), `of it indexing ${duration(timing.indexingMs)}`],
    ['Tokens per answer, median', counted(tokens.p50), `p95 ${counted(tokens.p95)}`],
    ['Answers said to fit well', share('good'), `weakly ${share('weak')}, nothing fits ${share('none')}`],
  ]
}

/** What was run, how, and the one number to remember. */
export function Header({ facts }: { readonly facts: ReportFacts }) {
  const { run, timing, titles, parts } = facts
  const headline = headlineOf(run)
  const estimate = run.macro[headline]
  const over = parts.length === 1 ? 'mean over all queries' : `mean over ${counted(parts.length)} parts`
  return (
    <header>
      <p class="note">Evaluation on {run.dataset.name}</p>
      <h1>{run.name}</h1>
      <ul class="settings">
        {settingsOf(run).map((setting) => (
          <li>{setting}</li>
        ))}
      </ul>
      <div class="headline">
        <strong>{titles[headline]}</strong>
        <span class="value">{estimate === undefined ? '–' : perCent(estimate.mean)}</span>
        <span>
          {estimate === undefined
            ? 'nothing measured'
            : [interval(estimate), ' ', <small>95% bootstrap interval, {over}</small>]}
        </span>
        <Change facts={facts} />
        <p class="note">
          Measures are in per cent (rank correlations from −100 to 100), differences in points of it.
        </p>
      </div>
      <dl class="tiles">
        {tilesOf(facts).map(([title, value, more]) => (
          <div>
            <dt>{title}</dt>
            <dd>
              {value}
              <small>{more}</small>
            </dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>Where the data comes from</summary>
        <p>{run.dataset.origin}</p>
        <ul>
          {run.dataset.notes.map((note) => (
            <li>{note}</li>
          ))}
        </ul>
        <p>
          Started <time dateTime={timing.startedAt}>{timing.startedAt}</time>.
        </p>
      </details>
    </header>
  )
}
