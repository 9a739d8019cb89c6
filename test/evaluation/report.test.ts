import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { beforeAll, describe, expect, test } from 'vitest'
import { curvesOf } from '../../src/evaluation/report/curves.ts'
import { compareRuns, wholeRow } from '../../src/evaluation/runs/compare-runs.ts'
import { measureTitle } from '../../src/evaluation/measures/measures.ts'
import { perCent, signed } from '../../src/evaluation/report/numbers.ts'
import { builtPage, renderReport } from '../../src/evaluation/report/render-report.ts'
import type { ReportInput } from '../../src/evaluation/report/report-facts.ts'
import { madeUpRun, madeUpTiming, runOf } from '../fakes/evaluation-runs.ts'
import { hostileReport, sampleFindings, sampleReport } from '../fakes/sample-report.ts'

const headings = (page: string): string[] =>
  [...page.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title!)

/** A page without its scripts and styles: what a reader without JavaScript has. */
const markupOf = (page: string): string =>
  page.replace(/<script[^>]*>[\s\S]*?<\/script>/g, '').replace(/<style>[\s\S]*?<\/style>/g, '')

describe('a report', () => {
  const input = sampleReport()
  let page = ''
  beforeAll(async () => {
    page = await renderReport(input)
  })

  test('says what was run, how, and the headline with its interval', () => {
    const { mean, low, high } = input.run.macro['ndcg@10']!
    for (const text of [
      'Evaluation on benchmark',
      '<h1>benchmark hybrid own</h1>',
      'ranker hybrid',
      'each part over its own cards',
      'nDCG@10',
      `>${(100 * mean).toFixed(1)}<`,
      `[${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`,
      'Measures are in per cent',
      '3 queries without labels dropped',
      '1.90 ms',
    ])
      expect(page).toContain(text)
  })

  test('has a table row for every part and category, without any script', () => {
    const markup = markupOf(page)
    for (const { name } of input.run.parts) expect(markup).toContain(`<th scope="row">${name}</th>`)
    for (const category of Object.keys(input.run.categories))
      expect(markup).toContain(`<th scope="row">${category}</th>`)
  })

  test('draws grades by rank beside the best order, and shows terciles where probes were judged', async () => {
    const markup = markupOf(page)
    const { gainByRank, popularity } = curvesOf(input.run)
    expect(gainByRank).toHaveLength(20)
    for (const { gain, oracle, share } of gainByRank)
      for (const text of [gain.toFixed(3), oracle.toFixed(3), perCent(share)])
        expect(markup).toContain(`>${text}<`)
    for (const { least, most } of popularity)
      expect(markup).toContain(`<th scope="row">${least === most ? least : `${least} to ${most}`}</th>`)
    const chart = /<svg id="curves-chart"[\s\S]*?<\/svg>/.exec(markup)![0]
    expect(chart.match(/<circle/g)).toHaveLength(40)
    expect(chart).not.toContain('NaN')
    expect(markup).not.toContain('Probes by the variance')
    const tercile = {
      tercile: 'high',
      probes: 4,
      runs: 9,
      won: 5,
      lost: 1,
      equal: 2,
      winRate: 0.625,
      p: 0.03,
      difference: { mean: 0.05, low: 0.01, high: 0.09, queries: 8 },
    } as const
    const reranking = { rows: [], blocks: [], probes: [tercile] } as never
    const withProbes = await renderReport({ ...input, run: { ...input.run, reranking } })
    expect(markupOf(withProbes)).toMatch(
      /Probes by the variance[\s\S]*<th scope="row">high<\/th>[\s\S]*62\.5/,
    )
    const nothing = { ...input.run, outcomes: input.run.outcomes.map((one) => ({ ...one, relevant: {} })) }
    expect(headings(await renderReport({ ...input, run: nothing }))).not.toContain('Curves')
  })

  test('shows differences with both p-values and a verdict in words', () => {
    const markup = markupOf(page)
    expect(markup).toContain('p (Holm)')
    expect(markup).toContain('all parts (macro)')
    expect(markup).toMatch(/class="(?:better|worse)">(?:better|worse)</)
    expect(markup).toContain('no clear difference')
  })

  test('lists the largest losses and wins with what ranked above', () => {
    const markup = markupOf(page)
    for (const { text, above } of [...input.comparison!.regressions, ...input.comparison!.wins]) {
      expect(markup).toContain(text)
      for (const id of above) expect(markup).toContain(id)
    }
  })

  test('names every finding of an own index with its fix, by kind', async () => {
    const { run, timing } = input
    const markup = markupOf(await renderReport({ run, timing, findings: sampleFindings }))
    for (const { card, message, remedy, others } of sampleFindings)
      for (const text of [card, message, ...remedy.split('`'), ...others]) expect(markup).toContain(text)
    expect(markup).toContain('with <code>audition sources remove</code>.')
    const kinds = [...markup.matchAll(/<h3>([^<]*) <small>(\d+)/g)].map(([, title, count]) => [title, count])
    expect(kinds).toEqual([
      ['Cards nobody can find', '1'],
      ['Cards that stand behind another one', '1'],
      ['Cards that are listed more than once', '1'],
      ['Descriptions that say too little', '2'],
      ['Inputs without descriptions', '1'],
    ])
  })

  test('says so when nothing keeps a card from being found', async () => {
    const { run, timing } = input
    expect(markupOf(await renderReport({ run, timing, findings: [] }))).toContain('Nothing keeps a card')
  })

  test('folds a long list of findings, and counts those that are in no page', async () => {
    const { run, timing } = input
    const thin = sampleFindings.find(({ kind }) => kind === 'thin')!
    const findings = Array.from({ length: 5000 }, (_, at) => ({ ...thin, card: `many/card-${at}` }))
    const markup = markupOf(await renderReport({ run, timing, findings }))
    expect(markup.match(/many\/card-/g)).toHaveLength(200)
    expect(markup).toContain('4,990 more')
    expect(markup).toContain('4,800 more are not in this page')
  })

  test('is the same for the same run', async () => {
    expect(await renderReport(sampleReport())).toBe(page)
  })

  test('asks for nothing outside itself', async () => {
    const markup = markupOf(page)
    expect(markup).not.toMatch(/\b(?:src|srcset|action|poster)=/)
    expect([...markup.matchAll(/href="([^"]*)"/g)].filter(([, to]) => !/^#|^data:,$/.test(to!))).toEqual([])
    expect(page).not.toContain('sourceMappingURL')
    expect((await builtPage()).style).not.toMatch(/@import|url\(/)
  })

  test.each([
    {
      why: 'a run alone',
      parts: ['run', 'timing'],
      expected: ['Measures', 'Categories', 'Parts', 'Curves', 'Intervals', 'Quality by latency', 'Queries'],
    },
    {
      why: 'a run with a baseline that was not compared',
      parts: ['run', 'timing', 'baseline'],
      expected: ['Measures', 'Categories', 'Parts', 'Curves', 'Intervals', 'Quality by latency', 'Queries'],
    },
    {
      why: 'a comparison without the baseline run',
      parts: ['run', 'timing', 'comparison'],
      expected: [
        'Measures',
        'Categories',
        'Parts',
        'Curves',
        'Intervals',
        'Part by part',
        'Comparison',
        'Largest losses',
        'Largest wins',
        'Quality by latency',
        'Queries',
      ],
    },
    {
      why: 'a run over the own index',
      parts: ['run', 'timing', 'findings'],
      expected: [
        'Findings',
        'Measures',
        'Categories',
        'Parts',
        'Curves',
        'Intervals',
        'Quality by latency',
        'Queries',
      ],
    },
  ])('has only the sections that can be filled: $why', async ({ parts, expected }) => {
    const given = Object.fromEntries(Object.entries(input).filter(([name]) => parts.includes(name)))
    expect(headings(await renderReport({ run: input.run, timing: input.timing, ...given }))).toEqual(expected)
  })

  test('of a run without queries is a page, too', async () => {
    const { run, timing } = input
    const empty = { ...run, parts: [], categories: {}, macro: {}, micro: {}, outcomes: [] }
    expect(markupOf(await renderReport({ run: empty, timing }))).toContain('nothing measured')
  })
})

describe('a report on a few queries of those that the baseline ran', () => {
  const { outcomes } = madeUpRun({ queries: 40, parts: 2, seed: 1, quality: 0.4 })
  const baseline = runOf('before', outcomes)
  const fewer = madeUpRun({ queries: 40, parts: 2, seed: 2 }).outcomes.filter((_, at) => at % 3 === 0)
  const run = runOf('after', fewer)
  const comparison = compareRuns(baseline, run)
  const input: ReportInput = { run, timing: madeUpTiming(), baseline, comparison }
  const wholeOf = (measure: string) =>
    comparison.rows.find((row) => row.part === wholeRow && row.measure === measure)!

  test.each(run.measures.map((measure) => ({ measure })))(
    'pairs the queries by $measure in the table of measures',
    async ({ measure }) => {
      const { baseline: before, difference } = wholeOf(measure)
      // Otherwise the means over all of its queries would pass as well.
      expect(before).not.toBeCloseTo(baseline.macro[measure]!.mean, 3)
      const [table = ''] =
        markupOf(await renderReport(input)).match(/<section id="measures"[\s\S]*?<\/section>/) ?? []
      const [row = ''] =
        table.match(new RegExp(`<tr>(?:(?!</tr>)[\\s\\S])*${measureTitle(measure)}<[\\s\\S]*?</tr>`)) ?? []
      expect(row).toContain(`>${perCent(before)}<`)
      expect(row).toContain(`>${signed(difference.mean)}<`)
      expect(table).toContain('over the queries that both runs have')
    },
  )

  test('pairs them in the bars of every part', async () => {
    const [bars = ''] =
      markupOf(await renderReport(input)).match(/<section id="bars"[\s\S]*?<\/section>/) ?? []
    for (const { name } of run.parts) {
      const row = comparison.rows.find((one) => one.part === name && one.measure === run.measures[0])!
      expect(bars).toContain(
        `<title>${name}: ${perCent(row.candidate)}, baseline ${perCent(row.baseline)}, difference ${signed(row.candidate - row.baseline)}<`,
      )
    }
  })
})

describe('hostile texts', () => {
  let page = ''
  beforeAll(async () => {
    page = await renderReport(hostileReport())
  })

  test('never become markup', () => {
    const markup = markupOf(page)
    expect(markup).not.toContain('window.hacked = 1</script>')
    expect(markup).not.toMatch(/<img|<!--/)
    expect(markup).toContain('&lt;/script>&lt;script>window.hacked = 1')
    expect(markup).not.toContain('\u202e')
  })

  test('end no script: as many begin as in any report, and each one ends', async () => {
    const begins = (text: string): number => text.match(/<script/g)!.length
    const ends = (text: string): number => text.match(/<\/script>/g)!.length
    expect(begins(page)).toBe(begins(await renderReport(sampleReport())))
    expect(ends(page)).toBe(begins(page))
  })
})

describe('the script of the page', () => {
  test('is one script that can be read', async () => {
    const { script } = await builtPage()
    expect(() => new Function(script)).not.toThrow()
    expect(script).not.toMatch(/\bimport\b\s*[("'{]/)
  })

  test('makes no markup of strings', () => {
    const folder = fileURLToPath(new URL('../../src/page/', import.meta.url))
    const sources = globSync('**/*.{ts,tsx}', { cwd: folder, absolute: true })
    expect(sources.length).toBeGreaterThan(10)
    // The document is written in Node, where scripts and styles of ours stand in it as they are.
    for (const file of sources.filter((name) => !name.endsWith('document.tsx')))
      expect(readFileSync(file, 'utf8'), file).not.toMatch(
        /innerHTML|outerHTML|InnerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b/,
      )
  })
})
