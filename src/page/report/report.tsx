import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import { ThemeButton } from '../parts/controls.tsx'
import { Bars, Intervals, Latency } from './charts.tsx'
import { Changed, Differences } from './comparison.tsx'
import { Findings } from './findings.tsx'
import { Header } from './header.tsx'
import { Categories, Measures, Parts } from './measures.tsx'
import { type Asked, type Packed, QueriesSection } from './queries.tsx'

/** A place to jump to, as the navigation calls it, and what stands there. */
type Place = readonly [id: string, title: string, content: ComponentChild]

const hasAny = (some: object): boolean => Object.keys(some).length > 0

function comparedPlaces(facts: ReportFacts, open: (query: Asked) => void): readonly Place[] {
  const { comparison, titles } = facts
  if (comparison === undefined) return []
  const { regressions, wins } = comparison
  return [
    ['comparison', 'Comparison', <Differences comparison={comparison} titles={titles} />],
    [
      'regressions',
      'Losses',
      <Changed
        id="regressions"
        title="Largest losses"
        none="No query got worse."
        queries={regressions}
        open={open}
      />,
    ],
    [
      'wins',
      'Wins',
      <Changed id="wins" title="Largest wins" none="No query got better." queries={wins} open={open} />,
    ],
  ]
}

/**
 * A run as a page. The same markup is written by the document and taken over by the browser.
 *
 * @param read - unpacks the queries
 */
export function Report({ facts, read }: { readonly facts: ReportFacts; readonly read: Packed }) {
  const [asked, ask] = useState<Asked>()
  const { findings, comparison, run } = facts
  const places: readonly Place[] = [
    ...(findings === undefined ? [] : [['findings', 'Findings', <Findings groups={findings} />] as const]),
    ['measures', 'Measures', <Measures facts={facts} />],
    ...(hasAny(run.categories) ? [['categories', 'Categories', <Categories facts={facts} />] as const] : []),
    ['parts', 'Parts', <Parts facts={facts} />],
    ['intervals', 'Intervals', <Intervals facts={facts} />],
    ...(comparison === undefined
      ? []
      : [['bars', 'Part by part', <Bars facts={facts} baseline={comparison.baseline} />] as const]),
    // A query may be asked for twice in a row: each time it is another object.
    ...comparedPlaces(facts, ({ part, id }) => ask({ part, id })),
    ['latency', 'Latency', <Latency facts={facts} />],
    ['queries', 'Queries', <QueriesSection facts={facts} asked={asked} read={read} />],
  ]
  return (
    <>
      <a class="skip" href={`#${places[0]?.[0]}`}>
        Skip to the results
      </a>
      <Header facts={facts} />
      <nav aria-label="Sections">
        <div class="places">
          {places.map(([id, title]) => (
            <a href={`#${id}`}>{title}</a>
          ))}
        </div>
        <ThemeButton />
      </nav>
      <main>{places.map(([, , content]) => content)}</main>
    </>
  )
}
