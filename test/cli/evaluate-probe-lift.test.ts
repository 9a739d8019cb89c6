import { describe, expect, test } from 'vitest'
import type { ProbeLiftOptions } from '../../src/evaluation/probe-lift/measure-probe-lift.ts'
import type { ProbeLiftReport } from '../../src/evaluation/probe-lift/report.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const estimate = (mean: number) => ({ mean, low: mean - 0.1, high: mean + 0.1, queries: 2 })
const stayed = { compared: 2, rose: 1, same: 1, fell: 0, worst: [] }
const fell = { ...stayed, fell: 1, compared: 3, worst: [{ query: 't1', id: 'a/b', before: 2, after: null }] }
const three = {
  ...{ probes: 3, ndcg: estimate(0.75), rise: { estimate: estimate(0.5), p: 0.00012 }, soundFirst: 0.5 },
  ...{ executions: 36, seconds: 1.25, sound: stayed },
}
const report: ProbeLiftReport = {
  format: 'audition-probe-lift/1',
  catalog: { servers: 6, tools: 108, sound: 18, probed: 12, shortlist: 20 },
  ranker: 'lexical',
  model: null,
  recordWeight: 1,
  queries: 2,
  conditions: [
    {
      ...{ probes: 0, ndcg: estimate(0.25), rise: null, soundFirst: 0, executions: 0, seconds: 0 },
      sound: null,
    },
    three,
  ],
  mixed: {
    ...{ ...three, ndcg: estimate(0.5), executions: 18 },
    ...{ probed: 6, unprobed: 6, soundProbed: stayed, soundUnprobed: stayed, soundOfAnyTool: fell },
  },
  findings: [
    { fault: 'sound', variants: 2, found: [{ probes: 3, variants: 0 }] },
    { fault: 'stale', variants: 10, found: [{ probes: 3, variants: 9 }] },
  ],
  cost: { seconds: 3.6, probes: 36 },
}

function commandLine() {
  const asked: ProbeLiftOptions[] = []
  const audition = scriptedAudition({
    probeLift: async (options) => {
      asked.push(options)
      options.onProgress?.({ step: 'servers', done: 0, total: 6 })
      options.onProgress?.({ step: 'probes', done: 36, total: 36 })
      return report
    },
  })
  const run = (...argv: string[]) => runCaptured(['evaluate', 'probe-lift', ...argv], audition)
  return { asked, run }
}

describe('audition evaluate probe-lift', () => {
  test('prints conditions, what became of the sound variants, and what was found', async () => {
    const { run } = commandLine()
    const { code, stdout, stderr } = await run()
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "probe-lift
      2 requests over 108 tools, 18 of them sound, on 6 servers; ranker lexical, weight of the record 1.
      Probed: the 12 tools among the first 20 of some request.

      probes                       nDCG@5               rise       p  sound first  fell  executions  seconds
      none              25.0 [15.0, 35.0]                  –       –          0.0     –           0      0.0
      3 each            75.0 [65.0, 85.0]  50.0 [40.0, 60.0]  0.0001         50.0     0          36      1.3
      3, half unprobed  50.0 [40.0, 60.0]  50.0 [40.0, 60.0]  0.0001         50.0     0          18      1.3

      Percent, with 95% bootstrap intervals; the rise is paired by request, p by randomisation.
      36 probes took 4 s, 100 ms each with 6 starts of servers.

      Half unprobed: 6 candidates without a record among 6 with one. Sound variants against search alone:
        of the right tool, probed: 2 compared, 1 rose, 1 stayed, 0 fell
        of the right tool, unprobed: 2 compared, 1 rose, 1 stayed, 0 fell
        of any tool on a shortlist: 3 compared, 1 rose, 1 stayed, 1 fell (ranks 2 to none)

      fault  variants  failed in 3
      sound         2            0
      stale        10            9
      "
    `)
    expect(stderr).toBe('[0/6] servers started\n[36/36] probes\n')
  })

  test('takes the servers that are named, a weight, and a signal', async () => {
    const { asked, run } = commandLine()
    await run('--server', 'calendar', '--server', 'text', '--record-weight', '0.5')
    expect(asked).toMatchObject([
      { servers: ['calendar', 'text'], recordWeight: 0.5, signal: expect.any(AbortSignal) },
    ])
  })

  test('prints the report as JSON', async () => {
    const { stdout } = await commandLine().run('--json')
    expect(JSON.parse(stdout)).toEqual(report)
  })

  test('refuses servers that there are not', async () => {
    const { code, stderr } = await commandLine().run('--server', 'weather')
    expect(code).not.toBe(0)
    expect(stderr).toContain('calendar')
  })

  test('--help', async () => {
    const { code, stdout } = await commandLine().run('--help')
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot('golden/help-evaluate-probe-lift.txt')
  })
})
