import { chartOn, measureAxis, nearRange } from './chart-frame.js'
import { perCent, threeDigits } from './format.js'

/** @typedef {import('../report-facts.ts').PageFacts} PageFacts */
/** @typedef {PageFacts['points'][number]} RunPoint */
/** @typedef {import('./chart-frame.js').Palette} Palette */

const roles = /** @type {const} */ ([
  { role: 'run', label: 'this run', style: 'circle' },
  { role: 'baseline', label: 'baseline', style: 'rect' },
  { role: 'other', label: 'other runs', style: 'triangle' },
])

/** Ticks of a logarithmic axis that have room: 1, 2, 5 of each power of ten. @param {string | number} value */
const timeTick = (value) => {
  const digit = Number(value) / 10 ** Math.floor(Math.log10(Number(value)) + 1e-9)
  return [1, 2, 5].some((shown) => Math.abs(digit - shown) < 1e-6) ? `${threeDigits(Number(value))}` : ''
}

/** Whiskers of the intervals, and the number that each run has in the table. @param {Palette} colours */
const marks = (colours) => ({
  id: 'marks',
  /** @param {import('chart.js').Chart} chart */
  afterDatasetsDraw(chart) {
    const { ctx, scales } = chart
    const measure = scales.y
    if (measure === undefined) return
    ctx.save()
    ctx.lineWidth = 1.5
    ctx.font = '12px system-ui, sans-serif'
    for (const [number, dataset] of chart.data.datasets.entries()) {
      for (const [at, { x, y }] of chart.getDatasetMeta(number).data.entries()) {
        const { point, place } = /** @type {{ point: RunPoint, place: number }} */ (
          /** @type {unknown} */ (dataset.data[at])
        )
        ctx.strokeStyle = String(dataset.borderColor)
        ctx.beginPath()
        ctx.moveTo(x, measure.getPixelForValue(point.low))
        ctx.lineTo(x, measure.getPixelForValue(point.high))
        ctx.stroke()
        ctx.fillStyle = colours.ink
        ctx.fillText(String(place), x + 9, y - 7)
      }
    }
    ctx.restore()
  },
})

/** Quality of runs against their search times, which grow by factors. @param {PageFacts} facts */
export const latencyChart = (facts) =>
  chartOn('latency-chart', (chosen, colours) => {
    const percentile = chosen === 'p95' || chosen === 'p99' ? chosen : 'p50'
    const title = facts.measures[0]?.title ?? ''
    const points = facts.points.map((point, at) => ({
      point,
      place: at + 1,
      x: Math.max(point[percentile], 0.001),
      y: point.mean,
    }))
    const times = points.map(({ x }) => x)
    return {
      height: 380,
      plan: {
        type: 'scatter',
        data: {
          datasets: roles.flatMap(({ role, label, style }) => {
            const data = points.filter(({ point }) => point.role === role)
            const colour = colours[role]
            if (data.length === 0) return []
            return [
              {
                label,
                data,
                pointStyle: style,
                pointRadius: 6,
                pointHoverRadius: 8,
                backgroundColor: colour,
                borderColor: colour,
              },
            ]
          }),
        },
        options: {
          layout: { padding: { right: 18 } },
          scales: {
            x: {
              type: 'logarithmic',
              min: Math.min(...times) / 2,
              max: Math.max(...times) * 2,
              title: { display: true, text: 'milliseconds per search', color: colours.faint },
              grid: { color: colours.line },
              border: { color: colours.line },
              ticks: { color: colours.faint, callback: timeTick, maxRotation: 0, autoSkip: false },
            },
            y: measureAxis(colours, nearRange(points.flatMap(({ point }) => [point.low, point.high])), title),
          },
          plugins: {
            legend: { labels: { color: colours.ink, usePointStyle: true } },
            tooltip: {
              callbacks: {
                label: ({ raw }) => {
                  const { point, place, x } = /** @type {typeof points[number]} */ (raw)
                  return `${place}. ${point.name}: ${perCent(point.mean)} in ${threeDigits(x)} ms`
                },
              },
            },
          },
        },
        plugins: [marks(colours)],
      },
    }
  })
