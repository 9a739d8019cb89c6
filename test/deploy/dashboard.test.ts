import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, test } from 'vitest'
import { metrics } from '../../src/watching/metrics.ts'
import { metricNames, prometheusName } from '../watching/prometheus-name.ts'
import { textOf, yamlOf } from './manifests.ts'

type Panel = {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}
const { panels } = JSON.parse(textOf('compose/grafana/dashboards/audition.json')) as {
  readonly panels: readonly Panel[]
}
const queries = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })))
const { groups } = yamlOf('compose/alerts.yml') as {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}
const alerts = groups.flatMap(({ rules }) => rules)

/** Series that a server tells, with the labels that they have; what `metrics.test.ts` compares with a real answer. */
const series = new Map(
  metricNames.flatMap((name) => {
    const { kind, by } = metrics[name]
    const labels = new Set(['instance', 'job', ...by.map((label) => label.replaceAll('.', '_'))])
    const plain = prometheusName(name)
    return kind === 'histogram'
      ? [
          [`${plain}_count`, labels] as const,
          [`${plain}_sum`, labels] as const,
          [`${plain}_bucket`, new Set([...labels, 'le'])] as const,
        ]
      : [[plain, labels] as const]
  }),
)
series.set('up', new Set(['instance', 'job'])) // Prometheus' own

/** Names and labels of a query, by Prometheus' own grammar. @throws Error when it is none */
function readQuery(query: string): { readonly names: readonly string[]; readonly labels: readonly string[] } {
  const text = query.replaceAll(/\$__(rate_interval|range)/g, '5m')
  const [names, labels]: [string[], string[]] = [[], []]
  parser.parse(text).iterate({
    enter(node) {
      const word = text.slice(node.from, node.to)
      if (node.type.isError) throw new Error(`no query at "${text.slice(node.from)}": ${query}`)
      if (node.name === 'Identifier') names.push(word)
      if (node.name === 'LabelName') labels.push(word)
    },
  })
  return { names, labels }
}

describe.each([
  ...queries.map(({ title, expr }) => ({ what: title, query: expr })),
  ...alerts.map(({ alert, expr }) => ({ what: alert, query: expr })),
])('$what', ({ query }) => {
  test('asks for what a server tells, by labels that it has', () => {
    const { names, labels } = readQuery(query)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !series.has(name))).toEqual([])
    const known = new Set(names.flatMap((name) => [...series.get(name)!]))
    expect(labels.filter((label) => !known.has(label))).toEqual([])
  })
})

test('the check finds a name, a label and a query that are wrong', () => {
  expect(readQuery('sum by (a_label) (rate(no_such_metric{b="c"}[5m]))')).toEqual({
    names: ['no_such_metric'],
    labels: ['a_label', 'b'],
  })
  expect(() => readQuery('sum by (a')).toThrow('no query')
})

test('legends name labels that the query keeps', () => {
  for (const { title, expr, legendFormat } of queries) {
    const { labels, names } = readQuery(expr)
    const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!)
    const isAggregated = /\b(sum|max|min|count|histogram_quantile)\b/.test(expr)
    const kept = isAggregated ? labels : names.flatMap((name) => [...series.get(name)!])
    expect(
      named.filter((label) => !kept.includes(label)),
      title,
    ).toEqual([])
  }
})

test('the dashboard shows every metric that the page lists, and no panel lies on another', () => {
  const shown = new Set(queries.flatMap(({ expr }) => readQuery(expr).names))
  const missing = metricNames
    .map(prometheusName)
    .filter((name) => !['', '_count', '_sum', '_bucket'].some((part) => shown.has(`${name}${part}`)))
  expect(missing).toEqual([])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const [at, { gridPos: a, title }] of panels.entries())
    for (const { gridPos: b } of panels.slice(at + 1)) {
      const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y
      expect(isApart, title).toBe(true)
    }
})
