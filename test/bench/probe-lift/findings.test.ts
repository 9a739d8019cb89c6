import { expect, test } from 'vitest'
import { probeLiftFindings } from '../../../bench/probe-lift/findings.ts'
import type { ProbeLiftReport } from '../../../bench/probe-lift/report.ts'
import { findingsLines } from '../../../bench/render.ts'

const estimate = (mean: number) => ({ mean, low: mean - 0.1, high: mean + 0.1, queries: 2 })
const stayed = { compared: 2, rose: 1, same: 1, fell: 0, worst: [] }
const fell = { ...stayed, fell: 1, compared: 3, worst: [{ query: 't1', id: 'a/b', before: 2, after: null }] }
const three = {
  probes: 3,
  ndcg: estimate(0.75),
  rise: { estimate: estimate(0.5), p: 0.00012 },
  soundFirst: 0.5,
  executions: 36,
  seconds: 1.25,
  sound: stayed,
}
const report: ProbeLiftReport = {
  catalog: { servers: 6, tools: 108, sound: 18, probed: 12, shortlist: 20 },
  ranker: 'lexical',
  model: null,
  recordWeight: 1,
  queries: 2,
  conditions: [
    {
      probes: 0,
      ndcg: estimate(0.25),
      rise: null,
      soundFirst: 0,
      executions: 0,
      seconds: 0,
      sound: null,
    },
    three,
  ],
  mixed: {
    ...three,
    ndcg: estimate(0.5),
    executions: 18,
    probed: 6,
    unprobed: 6,
    soundProbed: stayed,
    soundUnprobed: stayed,
    soundOfAnyTool: fell,
  },
  findings: [
    { fault: 'sound', variants: 2, found: [{ probes: 3, variants: 0 }] },
    { fault: 'stale', variants: 10, found: [{ probes: 3, variants: 9 }] },
  ],
  cost: { seconds: 3.6, probes: 36 },
}

test('findings tell conditions, what became of the sound variants, and what was found', () => {
  expect(findingsLines('How much?', probeLiftFindings(report)).join('\n')).toMatchInlineSnapshot(`
    "## How much?

    ### Search with what probes told

    | probes           |              nDCG@5 |                rise |      p | sound first | fell | executions | seconds |
    | ---------------- | ------------------: | ------------------: | -----: | ----------: | ---: | ---------: | ------: |
    | none             | 25.0 (15.0 to 35.0) |                   - |      - |         0.0 |    - |          0 |     0.0 |
    | 3 each           | 75.0 (65.0 to 85.0) | 50.0 (40.0 to 60.0) | 0.0001 |        50.0 |    0 |         36 |     1.3 |
    | 3, half unprobed | 50.0 (40.0 to 60.0) | 50.0 (40.0 to 60.0) | 0.0001 |        50.0 |    0 |         18 |     1.3 |

    ### Half unprobed: sound variants against search alone

    | sound variants              | compared | rose | stayed | fell | deepest falls |
    | --------------------------- | -------: | ---: | -----: | ---: | ------------: |
    | of the right tool, probed   |        2 |    1 |      1 |    0 |             - |
    | of the right tool, unprobed |        2 |    1 |      1 |    0 |             - |
    | of any tool on a shortlist  |        3 |    1 |      1 |    1 |     2 to none |

    ### Variants with a probe that failed

    | fault | variants | failed in 3 |
    | ----- | -------: | ----------: |
    | sound |        2 |           0 |
    | stale |       10 |           9 |

    - 2 requests over 108 tools, 18 of them sound, on 6 servers; ranker lexical, weight of the record 1.
    - Probed: the 12 tools among the first 20 of some request. 36 probes took 4 s, 100 ms each with 6 starts of servers.
    - Percent, with 95% bootstrap intervals; the rise is paired by request, p by randomisation.
    - Half unprobed: 6 candidates without a record among 6 with one.
    "
  `)
})

test('floors hold the ranking after three probes, and that no sound tool suffers from its own', () => {
  expect(probeLiftFindings(report).floors).toMatchObject([
    { measured: '75.0', outcome: 'ok' },
    { measured: '0', outcome: 'ok' },
    { measured: '0', outcome: 'ok' },
  ])
  const worse: ProbeLiftReport = {
    ...report,
    conditions: [{ ...three, ndcg: estimate(0.47) }],
    mixed: { ...report.mixed, soundProbed: fell },
    findings: [{ fault: 'sound', variants: 2, found: [{ probes: 3, variants: 1 }] }],
  }
  expect(probeLiftFindings(worse).floors.map(({ outcome }) => outcome)).toEqual([
    'missed',
    'missed',
    'missed',
  ])
  const shorter = probeLiftFindings({ ...report, conditions: report.conditions.slice(0, 1) })
  expect(shorter.floors[0]).toMatchObject({ outcome: 'unmeasured' })
})
