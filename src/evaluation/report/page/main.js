import { barChart, intervalChart } from './charts.js'
import { byId } from './dom.js'
import { explorer } from './explorer.js'
import { latencyChart } from './latency-chart.js'
import { sortTables } from './sort-tables.js'
import { watchTheme } from './theme.js'

/** @type {import('../report-facts.ts').PageFacts} */
const facts = JSON.parse(byId('facts', HTMLElement).textContent ?? '')
const drawings = [
  intervalChart(facts),
  ...(facts.baseline === null ? [] : [barChart(facts)]),
  ...(facts.points.length === 0 ? [] : [latencyChart(facts)]),
]
const drawAll = () => {
  for (const draw of drawings) draw()
}

sortTables()
watchTheme(drawAll)
drawAll()
explorer(facts)
