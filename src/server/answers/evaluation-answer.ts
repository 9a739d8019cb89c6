import type { JsonObject } from '../../domain/json.ts'
import { wholeRow } from '../../evaluation/runs/compare-runs.ts'
import type { Comparison, Estimates, EvaluationRun } from '../../evaluation/evaluation-run.ts'
import type { EvaluationResult, MeasuredResult, UnaskedResult } from '../../evaluation/evaluations.ts'
import { measureTitle } from '../../evaluation/measures/measures.ts'
import { perCent } from '../../evaluation/report/numbers.ts'
import type { SearchFinding } from '../../evaluation/self/findings.ts'
import { reportUri } from './uris.ts'
import { oneLine, quoted, withoutPaths } from '../text.ts'
import type { ServedAnswer } from '../tool.ts'
import { rounded } from './why.ts'

/** Told of each list; the report has them all. */
const shown = { regressions: 3, findings: 5, notes: 3 }

/** A report is hundreds of kilobytes of HTML: a model that read it would have room for little else. */
const readingIt =
  'The report has parts, queries and signals: a page for the user to open, too long for you to read.'

/** A run in a few figures, with a link to its report; or what an index that nothing can be asked of tells of itself. */
export const evaluationAnswer = (jobId: string, result: EvaluationResult): ServedAnswer =>
  result.kind === 'measured' ? measuredAnswer(jobId, result) : unaskedAnswer(jobId, result)

function unaskedAnswer(jobId: string, { dataset, findings }: UnaskedResult): ServedAnswer {
  const notes = notesOf(dataset)
  const next = 'Give the cards examples, or a second sentence in their descriptions: these are asked for.'
  return {
    text: [
      `No query can be made of ${dataset.origin}.`,
      ...findingTexts(findings),
      ...noteTexts(notes),
      next,
    ].join('\n'),
    structured: {
      state: 'done',
      run_id: jobId,
      dataset: dataset.name,
      queries: 0,
      ...findingFigures(findings),
      ...(notes.length === 0 ? {} : { notes }),
      next,
    },
  }
}

function measuredAnswer(jobId: string, result: MeasuredResult): ServedAnswer {
  const { run, timing, comparison, findings, kept, failures } = result
  const uri = kept?.report === 'kept' ? reportUri(kept.id) : undefined
  const tokens = run.outcomes.reduce((sum, outcome) => sum + outcome.tokens, 0) / run.outcomes.length
  const notes = [
    ...failures.map(({ message }) => withoutPaths(oneLine(message, 160))),
    ...notesOf(run.dataset),
  ]
  const structured: JsonObject = {
    state: 'done',
    run_id: jobId,
    dataset: kept?.id.dataset ?? run.dataset.name,
    ...(kept === undefined ? {} : { run: kept.id.run }),
    queries: run.outcomes.length,
    parts: run.parts.length,
    ranker: run.settings.ranker,
    corpus: run.settings.corpus,
    measures: measureFigures(run.measures, run.macro),
    latency_ms: { p50: rounded(timing.searchMs.p50, 2), p95: rounded(timing.searchMs.p95, 2) },
    tokens_per_answer: Math.round(tokens),
    ...(comparison === undefined ? {} : { comparison: comparisonFigures(comparison) }),
    ...(findings === undefined ? {} : findingFigures(findings)),
    ...(notes.length === 0 ? {} : { notes }),
    ...(uri === undefined
      ? { next: 'Tell the user what failed; the figures hold.' }
      : { report: uri, next: readingIt }),
  }
  return {
    text: textOf(result, notes).join('\n'),
    structured,
    ...(uri === undefined || kept === undefined
      ? {}
      : {
          links: [
            {
              uri,
              name: `${kept.id.dataset}/${kept.id.run}`,
              title: `Report of ${oneLine(run.name, 80)}`,
              mimeType: 'text/html',
              annotations: { audience: ['user'] },
            },
          ],
        }),
  }
}

const notesOf = ({ notes }: EvaluationRun['dataset']): readonly string[] =>
  notes.slice(0, shown.notes).map((note) => withoutPaths(oneLine(note, 160)))

const noteTexts = (notes: readonly string[]): readonly string[] => notes.map((note) => `Note: ${note}`)

const findingFigures = (findings: readonly SearchFinding[]): JsonObject => ({
  findings: findings.slice(0, shown.findings).map(({ kind, card, message, remedy }) => ({
    kind,
    card,
    message: oneLine(message, 160),
    remedy: oneLine(remedy, 160),
  })),
  findingCount: findings.length,
})

const measureFigures = (measures: readonly string[], estimates: Estimates): readonly JsonObject[] =>
  measures.flatMap((measure) => {
    const estimate = estimates[measure]
    if (estimate === undefined) return []
    const { mean, low, high } = estimate
    return [{ measure, mean: rounded(mean, 4), low: rounded(low, 4), high: rounded(high, 4) }]
  })

/** The rows of the whole; of the parts, how many surely changed. */
function comparisonFigures({ baseline, rows, regressions }: Comparison): JsonObject {
  const headline = rows[0]?.measure
  const sure = rows.filter(
    ({ measure, part, pHolm }) => measure === headline && part !== wholeRow && pHolm < 0.05,
  )
  return {
    baseline: oneLine(baseline, 80),
    measures: rows
      .filter(({ part }) => part === wholeRow)
      .map(({ measure, baseline: before, candidate, difference, p }) => ({
        measure,
        before: rounded(before, 4),
        now: rounded(candidate, 4),
        difference: rounded(difference.mean, 4),
        low: rounded(difference.low, 4),
        high: rounded(difference.high, 4),
        p: rounded(p, 4),
      })),
    partsBetter: sure.filter(({ difference }) => difference.mean > 0).length,
    partsWorse: sure.filter(({ difference }) => difference.mean < 0).length,
    regressions: regressions.slice(0, shown.regressions).map(({ id, text, baseline: before, candidate }) => ({
      id,
      query: oneLine(text, 120),
      before: rounded(before, 4),
      now: rounded(candidate, 4),
    })),
  }
}

function textOf({ run, comparison, findings }: MeasuredResult, notes: readonly string[]): readonly string[] {
  return [
    `${quoted(run.name)}: ${run.outcomes.length} queries. Per cent: ${measureLine(run)}.`,
    ...(comparison === undefined ? [] : [comparisonLine(comparison)]),
    ...(findings === undefined ? [] : findingTexts(findings)),
    ...noteTexts(notes),
  ]
}

const findingTexts = (findings: readonly SearchFinding[]): readonly string[] => [
  `${findings.length} findings.`,
  ...findings.slice(0, shown.findings).map(({ card, message }) => `${quoted(card)}: ${quoted(message, 160)}`),
]

const measureLine = ({ measures, macro }: EvaluationRun): string =>
  measures
    .flatMap((measure) => {
      const estimate = macro[measure]
      if (estimate === undefined) return []
      const { mean, low, high } = estimate
      return [`${measureTitle(measure)} ${perCent(mean)} [${perCent(low)}, ${perCent(high)}]`]
    })
    .join(', ')

function comparisonLine({ baseline, rows }: Comparison): string {
  const changes = rows
    .filter(({ part }) => part === wholeRow)
    .map(({ measure, difference, p }) => {
      const sign = difference.mean >= 0 ? '+' : ''
      return `${measureTitle(measure)} ${sign}${perCent(difference.mean)} (p ${p.toFixed(3)})`
    })
  return `Against ${quoted(baseline)}: ${changes.join(', ')}.`
}
