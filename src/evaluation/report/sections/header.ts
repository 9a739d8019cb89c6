import type { EvaluationRun, RunSettings } from '../../evaluation-run.ts'
import { wholeRow } from '../../compare-runs.ts'
import { measureTitle } from '../../measure-title.ts'
import { quantile } from '../../statistics/quantile.ts'
import { perCent } from '../../per-cent.ts'
import { type Html, html } from '../html.ts'
import { counted, duration, interval, percent, probability, signed, signedInterval } from '../numbers.ts'
import { headlineOf, pairedRow, type ReportInput } from '../report-input.ts'

const corpora: { readonly [corpus in RunSettings['corpus']]: string } = {
  own: 'each part over its own cards',
  joined: 'all parts’ cards joined',
  index: 'over your index',
}

/** How rankings were made, in words. */
function settingsOf({ settings }: EvaluationRun): readonly string[] {
  return [
    `ranker ${settings.ranker}`,
    settings.model === null ? 'no model' : `model ${settings.model}`,
    ...(settings.crossEncoder === undefined
      ? []
      : [`cross-encoder ${settings.crossEncoder.model} over the first ${settings.crossEncoder.depth}`]),
    corpora[settings.corpus],
    `${settings.instruction} instruction`,
    settings.pack === 'ranking' ? 'bare ranking' : 'diverse answers',
    ...(settings.defended ? ['defences on, as against strangers'] : []),
    settings.equivalence === 'strict' ? 'only labelled cards count' : 'copies of relevant cards count',
    `depth ${settings.depth}`,
  ]
}

/** The change against the baseline, with its p-value, for the headline measure over all parts. */
function changeOf({ run, comparison }: ReportInput): Html | undefined {
  const row = pairedRow(comparison, wholeRow, headlineOf(run))
  if (comparison === undefined || row === undefined) return undefined
  const { mean } = row.difference
  const kind = row.p >= 0.05 ? '' : mean > 0 ? 'better' : 'worse'
  return html`<p class="change"><strong class="${kind}">${signed(mean)}</strong> against ${comparison.baseline}
<small>${signedInterval(row.difference)}, p ${probability(row.p)}</small></p>`
}

const tile = (title: string, value: string, more: string): Html =>
  html`<div class="tile"><dt>${title}</dt><dd>${value}<small>${more}</small></dd></div>\n`

function tiles({ run, timing }: ReportInput): readonly Html[] {
  const { outcomes, parts } = run
  const tokens = Float64Array.from(outcomes, (outcome) => outcome.tokens)
  const share = (match: string): string =>
    percent(outcomes.filter((outcome) => outcome.match === match).length, outcomes.length)
  const { p50, p95, p99 } = timing.searchMs
  return [
    tile(
      'Queries',
      counted(outcomes.length),
      `in ${counted(parts.length)} ${parts.length === 1 ? 'part' : 'parts'}`,
    ),
    tile('Search, median', duration(p50), `p95 ${duration(p95)}, p99 ${duration(p99)}`),
    tile('Whole run', duration(timing.totalMs), `of it indexing ${duration(timing.indexingMs)}`),
    tile(
      'Tokens per answer, median',
      counted(quantile(tokens, 0.5)),
      `p95 ${counted(quantile(tokens, 0.95))}`,
    ),
    tile('Answers said to fit well', share('good'), `weakly ${share('weak')}, nothing fits ${share('none')}`),
  ]
}

/** What was run, how, and the one number to remember. */
export function header(input: ReportInput): Html {
  const { run, timing } = input
  const headline = headlineOf(run)
  const estimate = run.macro[headline]
  const over =
    run.parts.length === 1 ? 'mean over all queries' : `mean over ${counted(run.parts.length)} parts`
  return html`
<header>
<p class="eyebrow">Evaluation on ${run.dataset.name}</p>
<h1>${run.name}</h1>
<ul class="settings">${settingsOf(run).map((setting) => html`<li>${setting}</li>\n`)}</ul>
<div class="headline">
<p class="measure">${measureTitle(headline)}</p>
<p class="value">${estimate === undefined ? '–' : perCent(estimate.mean)}</p>
<p class="interval">${estimate === undefined ? 'nothing measured' : html`${interval(estimate)} <small>95% bootstrap interval, ${over}</small>`}</p>
${changeOf(input)}
<p class="convention">Measures are in per cent (rank correlations from −100 to 100), differences in points of it.</p>
</div>
<dl class="tiles">${tiles(input)}</dl>
<details class="origin"><summary>Where the data comes from</summary>
<p>${run.dataset.origin}</p>
${run.dataset.notes.length === 0 ? undefined : html`<ul>${run.dataset.notes.map((note) => html`<li>${note}</li>\n`)}</ul>`}
<p>Started <time datetime="${timing.startedAt}">${timing.startedAt}</time>.</p>
</details>
</header>`
}
