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
  toneOf,
} from '../../evaluation/report/numbers.ts'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import { significant } from './comparison.tsx'

type Props = { facts: ReportFacts }

const corpora = {
  own: 'each part over its own cards',
  joined: 'all parts’ cards joined',
  index: 'over your index',
} as const

/** How rankings were made, in words. */
function settingsOf({ settings }: ReportFacts['run']): readonly (string | undefined)[] {
  const { ranker, model, crossEncoder, corpus, instruction, pack, defended, equivalence, depth } = settings
  return [
    `ranker ${ranker}`,
    model === null ? 'no model' : `model ${model}`,
    crossEncoder && `cross-encoder ${crossEncoder.model} over the first ${crossEncoder.depth}`,
    corpora[corpus],
    `${instruction} instruction`,
    pack === 'ranking' ? 'bare ranking' : 'diverse answers',
    defended && 'defences on, as against strangers',
    equivalence === 'strict' ? 'only labelled cards count' : 'copies of relevant cards count',
    `depth ${depth}`,
  ]
}

/** The change against the baseline, with its p-value, for the headline measure over all parts. */
function Against({ facts: { run, comparison } }: Props) {
  const row = pairedRow(comparison, wholeRow, headlineOf(run))
  if (comparison === undefined || row === undefined) return null
  const { difference, p } = row
  return (
    <p>
      <strong class={p < significant ? toneOf(difference.mean) : undefined}>{signed(difference.mean)}</strong>{' '}
      against {comparison.baseline} <small>{`${signedInterval(difference)}, p ${probability(p)}`}</small>
    </p>
  )
}

/** Figures beside the headline: what each is, its value, and more of it. */
function tilesOf({ timing, run: { parts }, matches, tokens, queries }: ReportFacts) {
  const { p50, p95, p99 } = timing.searchMs
  const share = (match: keyof typeof matches): string => percent(matches[match], queries.ofQueries)
  const among = `in ${counted(parts.length)} ${parts.length === 1 ? 'part' : 'parts'}`
  return [
    ['Queries', counted(queries.ofQueries), among],
    ['Search, median', duration(p50), `p95 ${duration(p95)}, p99 ${duration(p99)}`],
    ['Whole run', duration(timing.totalMs), `of it indexing ${duration(timing.indexingMs)}`],
    ['Tokens per answer, median', counted(tokens.p50), `p95 ${counted(tokens.p95)}`],
    ['Answers said to fit well', share('good'), `weakly ${share('weak')}, nothing fits ${share('none')}`],
  ]
}

/** What was run, how, and the one number to remember. */
export function Header({ facts }: Props) {
  const { run, timing, titles } = facts
  const headline = headlineOf(run)
  const estimate = run.macro[headline]
  const parts = run.parts.length
  const over = parts === 1 ? 'mean over all queries' : `mean over ${counted(parts)} parts`
  return (
    <header>
      <p class="note">Evaluation on {run.dataset.name}</p>
      <h1>{run.name}</h1>
      <p>{settingsOf(run).filter(Boolean).join(' · ')}</p>
      <div class="line">
        <strong>{titles[headline]}</strong>
        <span class="value">{perCent(estimate?.mean)}</span>
        <span>{estimate ? interval(estimate) : 'nothing measured'}</span>
        {estimate && <small>95% bootstrap interval, {over}</small>}
      </div>
      <Against facts={facts} />
      <p class="note">
        Measures are in per cent (rank correlations from −100 to 100), differences in points of it.
      </p>
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
