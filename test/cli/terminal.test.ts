import { describe, expect, test } from 'vitest'
import { outputOver } from '../../src/cli/terminal.ts'
import { capture, runCaptured } from '../fakes/captured-terminal.ts'
import { answerOf, scored, toolCard } from '../fakes/sample-cards.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

/** What a stream may say of its width without knowing it. */
const unknown = [0, 1, 2, 9, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]

describe('the width of a terminal', () => {
  test.each([
    ...unknown.map((columns) => ({ columns, env: {}, width: 80 })),
    ...unknown.map((columns) => ({ columns, env: { COLUMNS: '132' }, width: 132 })),
    { columns: 0, env: { COLUMNS: '0' }, width: 80 },
    { columns: 10, env: {}, width: 10 },
    { columns: 200, env: { COLUMNS: '40' }, width: 200 },
  ])('is $width where the terminal says $columns and the environment $env', ({ columns, env, width }) => {
    expect(outputOver(capture(columns).stream, env, []).columns).toBe(width)
  })

  test('is the usual one where a terminal says nothing', () => {
    const stream = Object.assign(capture().stream, { isTTY: true })
    expect(outputOver(stream, {}, []).columns).toBe(80)
  })

  test.each(['', '0', '3', 'wide', '-40'])('is not known of a pipe with COLUMNS=%j', (COLUMNS) => {
    expect(outputOver(capture().stream, { COLUMNS }, []).columns).toBeNull()
  })
})

test.each(unknown)(
  'nothing is wrapped letter by letter where a terminal says %d columns',
  async (columns) => {
    const audition = scriptedAudition({
      search: async ({ kind }) => answerOf(kind, kind === 'tool' ? [scored(toolCard(), 1)] : []),
    })
    const printed = async (width: number, argv: readonly string[]) =>
      (await runCaptured(argv, audition, { columns: width })).stdout
    for (const argv of [['search', 'post', '--why'], ['search', '--help'], ['init'], ['--help']])
      expect(await printed(columns, argv)).toBe(await printed(80, argv))
  },
)
