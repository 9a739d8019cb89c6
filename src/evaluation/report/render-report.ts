import { builtPage } from './built-page.ts'
import { contentPolicy, inlined } from './content-policy.ts'
import { fitQueries } from './queries/fit-queries.ts'
import { type PackedQueries, packed } from './queries/pack-queries.ts'
import { reportFacts } from './report-facts.ts'
import type { ReportInput } from './report-input.ts'

/** Bytes that a report has at most, and those that its queries get in any case. */
const mostBytes = 5_900_000
const leastForQueries = 500_000

/**
 * A run as one page of HTML that needs nothing else: no network, no other file. It shows measures with their intervals,
 * charts, the comparison with a baseline, and every query with its candidates and their signals, as far as they fit
 * into 6 MB. Equal input gives equal bytes.
 */
export async function renderReport(input: ReportInput): Promise<string> {
  const page = await builtPage()
  const script = inlined(page.script)
  const style = inlined(page.style)
  const policy = contentPolicy(script, style)
  const written = ({ facts: queries, list, details }: PackedQueries): string => {
    const facts = reportFacts(input, queries)
    return page.write({ facts, data: { facts: packed(facts), list, details }, policy, script, style })
  }
  const without = fitQueries({ ...input.run, outcomes: [] }, undefined, 0)
  const room = mostBytes - Buffer.byteLength(written(without))
  return written(fitQueries(input.run, input.baseline, Math.max(leastForQueries, room)))
}
