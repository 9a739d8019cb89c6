import { byId, element } from './dom.js'

/** @typedef {import('chart.js').ChartConfiguration<'bar' | 'line' | 'scatter', unknown[], string>} ChartPlan */
/** @typedef {{ ink: string, faint: string, line: string, run: string, baseline: string, other: string, soft: string }} Palette */

/** Chart.js, which the page loads before this script. */
const { Chart } = /** @type {{ Chart: typeof import('chart.js').Chart }} */ (
  /** @type {unknown} */ (globalThis)
)

/** Colours as they are now: the style sheet decides. */
export function palette() {
  const probe = element('span', { hidden: '' })
  document.body.append(probe)
  const colour = (/** @type {string} */ name) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  /** @type {Palette} */
  const colours = {
    ink: colour('ink'),
    faint: colour('faint'),
    line: colour('line'),
    run: colour('run'),
    baseline: colour('baseline'),
    other: colour('other'),
    soft: colour('run-soft'),
  }
  probe.remove()
  return colours
}

/** Narrow pages get short labels. */
export const isNarrow = () => document.documentElement.clientWidth < 600

/** Ends of an axis for bars, which begin at nothing. @param {readonly number[]} values */
export const wholeRange = (values) => ({ min: Math.min(0, ...values), max: Math.max(1, ...values) })

/** Ends of an axis for points: as near as makes them easy to tell apart, and not past what a measure can be. @param {readonly number[]} values */
export function nearRange(values) {
  if (values.length === 0) return { min: 0, max: 1 }
  const low = Math.min(...values)
  const high = Math.max(...values)
  return {
    min: Math.max(low < 0 ? -1 : 0, Math.floor(low * 10 - 0.25) / 10),
    max: Math.min(1, Math.ceil(high * 10 + 0.25) / 10),
  }
}

/**
 * The axis of a measure, in per cent.
 *
 * @param {Palette} colours
 * @param {{ min: number, max: number }} range
 * @param {string} title
 */
export const measureAxis = (colours, { min, max }, title) => ({
  min,
  max,
  title: { display: true, text: title, color: colours.faint },
  grid: { color: colours.line },
  border: { color: colours.line },
  ticks: {
    color: colours.faint,
    callback: (/** @type {string | number} */ value) => String(Math.round(1000 * Number(value)) / 10),
  },
})

/**
 * A chart that is drawn anew when its choice or the colours change.
 *
 * @param {string} id
 * @param {(chosen: string, colours: Palette) => { plan: ChartPlan, height: number }} draw - height in CSS pixels
 * @returns {() => void} draws it
 */
export function chartOn(id, draw) {
  const canvas = byId(id, HTMLCanvasElement)
  const choice = document.querySelector(`select[data-chart="${id}"]`)
  /** @type {import('chart.js').Chart<'bar' | 'line' | 'scatter', unknown[], string> | undefined} */
  let chart
  const redraw = () => {
    chart?.destroy()
    const chosen = choice instanceof HTMLSelectElement ? choice.value : ''
    const { plan, height } = draw(chosen, palette())
    if (canvas.parentElement) canvas.parentElement.style.height = `${height}px`
    chart = new Chart(canvas, {
      ...plan,
      options: { ...plan.options, animation: false, maintainAspectRatio: false },
    })
  }
  choice?.addEventListener('change', redraw)
  return redraw
}
