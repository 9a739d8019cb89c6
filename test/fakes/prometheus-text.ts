/** A sample of Prometheus' text format. */
export type Sample = {
  readonly name: string
  readonly labels: { readonly [name: string]: string }
  readonly value: number
}

/** Samples of one metric. */
export type Family = { readonly type: string; readonly help: string; readonly samples: readonly Sample[] }

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const helpLine = new RegExp(`^# HELP (${name}) (.+)$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram)$`)
const sampleLine = new RegExp(`^(${name})(?:\\{(.*)\\})? (\\S+)$`)
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y

/**
 * Reads version 0.0.4 of the format as strictly as it is written down, and holds the rules of histograms.
 *
 * @throws Error with the line that breaks a rule
 */
export function readPrometheus(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>()
  const series = new Set<string>()
  let help: RegExpExecArray | null = null
  let open = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const typed = typeLine.exec(line)
    if (line.startsWith('# HELP ')) help = required(helpLine.exec(line), line)
    else if (typed !== null) {
      open = typed[1]!
      if (help?.[1] !== open || families.has(open)) throw new Error(`without its help, or twice: ${line}`)
      families.set(open, { type: typed[2]!, help: help[2]!, samples: [] })
    } else {
      const sample = sampleOf(line)
      const family = required(families.get(open), line)
      const stem =
        family.type === 'histogram' ? sample.name.replace(/_(?:count|sum|bucket)$/, '') : sample.name
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (stem !== open || series.has(key)) throw new Error(`of another metric, or twice: ${line}`)
      series.add(key)
      family.samples.push(sample)
    }
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family.samples)
  return families
}

function required<T>(value: T | null | undefined, line: string): T {
  if (value === null || value === undefined) throw new Error(`not of the format: ${line}`)
  return value
}

function sampleOf(line: string): Sample {
  const [, sampleName = '', written = '', number = ''] = required(sampleLine.exec(line), line)
  const labels: { [name: string]: string } = {}
  label.lastIndex = 0
  while (label.lastIndex < written.length) {
    const [, key = '', value = ''] = required(label.exec(written), line)
    if (key in labels) throw new Error(`a label twice: ${line}`)
    labels[key] = value
  }
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number)
  if (Number.isNaN(value)) throw new Error(`no number: ${line}`)
  return { name: sampleName, labels, value }
}

/** Buckets grow, the last one is of all, and there are as many as are counted. */
function checkHistogram(samples: readonly Sample[]): void {
  const bySeries = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _, ...others } = sample.labels
    const key = JSON.stringify(others)
    bySeries.set(key, [...(bySeries.get(key) ?? []), sample])
  }
  for (const all of bySeries.values()) {
    const buckets = all.filter(({ labels }) => 'le' in labels)
    const bounds = buckets.map(({ labels: { le } }) =>
      le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le),
    )
    const counts = buckets.map(({ value }) => value)
    const rises = (values: readonly number[]) => values.every((one, at) => at === 0 || one >= values[at - 1]!)
    const count = all.find(({ name: sampleName }) => sampleName.endsWith('_count'))?.value
    if (
      !rises(bounds) ||
      !rises(counts) ||
      bounds.at(-1) !== Number.POSITIVE_INFINITY ||
      counts.at(-1) !== count
    )
      throw new Error(`no histogram: ${JSON.stringify(all)}`)
  }
}
