import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import type { ReportFacts } from '../../evaluation/report/report-facts.ts'
import type { ReportQuery } from '../../evaluation/report/report-queries.ts'
import { Theme } from '../parts/controls.tsx'
import { Bars, Intervals, Latency } from './charts.tsx'
import { Curves } from './curves.tsx'
import { Changed, Differences } from './comparison.tsx'
import { Findings } from './findings.tsx'
import { Header } from './header.tsx'
import { Categories, Measures, Parts } from './measures.tsx'
import { QueriesSection } from './queries.tsx'
import { QueryDialog } from './query-dialog.tsx'
import { Reranking } from './reranking.tsx'

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
