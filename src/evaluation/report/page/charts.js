import { chartOn, isNarrow, measureAxis, nearRange, wholeRange } from './chart-frame.js'
import { perCent, shortened, signed } from './format.js'

/** @typedef {import('../report-facts.ts').PageFacts} PageFacts */
/** @typedef {import('../report-facts.ts').ChartRow} ChartRow */
/** @typedef {import('./chart-frame.js').Palette} Palette */

/** Pixels of a row, and of what stands around the rows. */
const rowHeight = 22
const around = 110

/** The axis of parts, with names cut to what a page this wide has room for. @param {Palette} colours @param {readonly string[]} names */
const nameAxis = (colours, names) => ({
  grid: { display: false },
  border: { color: colours.line },
  ticks: {
    color: colours.ink,
    autoSkip: false,
    callback: (/** @type {string | number} */ _value, /** @type {number} */ at) =>
      shortened(names[at] ?? '', isNarrow() ? 14 : 32),
  },
})

/** @param {Palette} colours */
const legend = (colours) => ({ labels: { color: colours.ink, boxWidth: 14 } })

/**
 * Means with their intervals: a bar from the low end to the high end, and a point at the mean.
 *
 * @param {PageFacts} facts
 */
export const intervalChart = (facts) =>
  chartOn('interval-chart', (chosen, colours) => {
    const measure = Number(chosen)
    const measured = (/** @type {ChartRow} */ row) => {
      const estimate = row.estimates[measure]
      if (!estimate) return []
      const [mean, low, high, queries] = estimate
      return [{ name: row.name, mean, low, high, queries }]
    }
    const parts = facts.parts.flatMap(measured).sort((a, b) => b.mean - a.mean)
    const rows = facts.parts.length > 1 ? [...measured(facts.whole), ...parts] : parts
    const names = rows.map(({ name }) => name)
    const ends = rows.flatMap(({ low, high }) => [low, high])
    return {
      height: around + rows.length * rowHeight,
      plan: {
        type: 'bar',
        data: {
          labels: names,
          datasets: [
            {
              type: 'line',
              label: 'mean',
              data: rows.map(({ mean }) => mean),
              showLine: false,
              pointRadius: 4,
              pointHoverRadius: 6,
              pointStyle: rows.map((_, at) => (at === 0 && facts.parts.length > 1 ? 'rectRot' : 'circle')),
              pointBackgroundColor: colours.run,
              borderWidth: 0,
              backgroundColor: colours.run,
            },
            {
              type: 'bar',
              label: '95% interval',
              data: rows.map(({ low, high }) => [low, high]),
              backgroundColor: colours.soft,
              barThickness: 8,
              borderSkipped: false,
              borderRadius: 4,
            },
          ],
        },
        options: {
          indexAxis: 'y',
          scales: {
            x: measureAxis(colours, nearRange(ends), facts.measures[measure]?.title ?? ''),
            y: nameAxis(colours, names),
          },
          plugins: {
            legend: legend(colours),
            tooltip: {
              mode: 'index',
              filter: ({ datasetIndex }) => datasetIndex === 0,
              callbacks: {
                label: ({ dataIndex }) => {
                  const row = rows[dataIndex]
                  if (row === undefined) return ''
                  const { mean, low, high, queries } = row
                  return `${perCent(mean)} [${perCent(low)}, ${perCent(high)}], ${queries} queries`
                },
              },
            },
          },
        },
      },
    }
  })

/**
 * This run and the baseline, part by part, over the queries that both have. The page has no such chart without a comparison.
 *
 * @param {PageFacts} facts
 */
export const barChart = (facts) =>
  chartOn('bar-chart', (chosen, colours) => {
    const measure = Number(chosen)
    const rows = facts.parts
      .flatMap(({ name, pairs }) => {
        const pair = pairs[measure]
        return pair ? [{ name, before: pair[0], now: pair[1] }] : []
      })
      .sort((a, b) => b.now - b.before - (a.now - a.before))
    const names = rows.map(({ name }) => name)
    return {
      height: around + rows.length * rowHeight * 1.5,
      plan: {
        type: 'bar',
        data: {
          labels: names,
          datasets: [
            { label: 'this run', data: rows.map(({ now }) => now), backgroundColor: colours.run },
            { label: 'baseline', data: rows.map(({ before }) => before), backgroundColor: colours.baseline },
          ],
        },
        options: {
          indexAxis: 'y',
          scales: {
            x: measureAxis(
              colours,
              wholeRange(rows.flatMap(({ now, before }) => [now, before])),
              facts.measures[measure]?.title ?? '',
            ),
            y: nameAxis(colours, names),
          },
          plugins: {
            legend: legend(colours),
            tooltip: {
              mode: 'index',
              callbacks: {
                label: ({ dataset, raw }) => `${dataset.label}: ${perCent(Number(raw))}`,
                footer: ([item]) => {
                  const row = rows[item?.dataIndex ?? -1]
                  return row === undefined ? '' : `difference ${signed(row.now - row.before)}`
                },
              },
            },
          },
        },
      },
    }
  })
