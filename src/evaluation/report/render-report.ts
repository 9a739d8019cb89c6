import { chartLibrary } from './chart-library.ts'
import { type Html, html, verbatim } from './html.ts'
import { contentPolicy, inlineColumns, inlineJson, inlineScript, inlineStyle } from './inline.ts'
import { fitQueries } from './pack/fit-queries.ts'
import { pageScript, pageStyle } from './page-modules.ts'
import { type PageFacts, reportFacts } from './report-facts.ts'
import type { ReportInput } from './report-input.ts'
import { runPoints } from './run-points.ts'
import { type Section, sectionMarkup } from './section.ts'
import { barsSection, intervalsSection, latencySection } from './sections/charts.ts'
import { comparisonSection } from './sections/comparison.ts'
import { differenceSections } from './sections/differences.ts'
import { findingsSection } from './sections/findings.ts'
import { header } from './sections/header.ts'
import { categoriesSection, measuresSection, partsSection } from './sections/measures.ts'
import { queriesSection } from './sections/queries.ts'

/** Bytes that a report has at most, and those that its queries get in any case. */
const mostBytes = 4_900_000
const leastForQueries = 500_000

/** Everything but the queries, which get the room that is left. */
const sectionsOf = (input: ReportInput): readonly Section[] =>
  [
    findingsSection(input),
    measuresSection(input),
    categoriesSection(input),
    partsSection(input),
    intervalsSection(input),
    barsSection(input),
    comparisonSection(input),
    ...differenceSections(input),
    latencySection(input, runPoints(input)),
  ].filter((section) => section !== undefined)

const navigation = (sections: readonly Section[]): Html => html`
<nav aria-label="Sections">
<div class="places">
${sections.map(({ id, title, short }) => html`<a href="#${id}">${short ?? title}</a>\n`)}</div>
<button type="button" id="theme" hidden></button>
</nav>`

/**
 * A run as one page of HTML that needs nothing else: no network, no other file. It shows measures with their intervals,
 * charts, the comparison with a baseline, and every query with its candidates and their signals, as far as they fit
 * into 5 MB. Equal input gives equal bytes.
 */
export function renderReport(input: ReportInput): string {
  const { run, baseline } = input
  const scripts = [chartLibrary(), pageScript()]
  const style = pageStyle()
  const top = header(input)
  const others = sectionsOf(input)
  const facts = reportFacts(input)
  const taken = [
    ...scripts,
    style,
    top.markup,
    JSON.stringify(facts),
    ...others.map((one) => one.body.markup),
  ]
  const bytes = taken.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const queries = fitQueries(run, baseline, Math.max(leastForQueries, mostBytes - bytes))
  const pageFacts: PageFacts = { ...facts, queries: queries.facts }
  const sections = [...others, queriesSection(input, queries.facts)]
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(contentPolicy(scripts, [style]))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${`${run.name}: evaluation on ${run.dataset.name}`}</title>
${inlineStyle(style)}
</head>
<body>
<a class="skip" href="#${others[0]?.id ?? 'queries'}">Skip to the results</a>
${top}
${navigation(sections)}
<main>${sections.map(sectionMarkup)}</main>
${inlineJson('facts', pageFacts)}
${inlineColumns(queries.columns)}
${scripts.map(inlineScript)}
</body>
</html>
`
  return page.markup
}
