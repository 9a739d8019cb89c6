import { describe, expect, test } from 'vitest'
import { answerKeys } from '../../catalog/answer-keys/answer-keys.ts'
import { measureTools } from '../../catalog/servers/arithmetic/measure-tools.ts'
import { moneyTools } from '../../catalog/servers/arithmetic/money-tools.ts'
import { numberTools } from '../../catalog/servers/arithmetic/number-tools.ts'
import { statisticsTools } from '../../catalog/servers/arithmetic/statistics-tools.ts'
import { dateTools } from '../../catalog/servers/calendar/date-tools.ts'
import { timeTools } from '../../catalog/servers/calendar/time-tools.ts'
import { weekTools } from '../../catalog/servers/calendar/week-tools.ts'
import { jsonTools } from '../../catalog/servers/text/json-tools.ts'
import { lineTools } from '../../catalog/servers/text/line-tools.ts'
import { tableTools } from '../../catalog/servers/text/table-tools.ts'
import { wordTools } from '../../catalog/servers/text/word-tools.ts'
import type { JsonValue } from '../../src/domain/json.ts'
import { referenceJudge } from '../../src/probing/judges/reference-judge.ts'
import { randomOf } from '../../src/probing/writing/schema-arguments.ts'
import { answered } from '../probing/judges/executions.ts'

const tools = [
  ...numberTools,
  ...measureTools,
  ...moneyTools,
  ...statisticsTools,
  ...dateTools,
  ...weekTools,
  ...timeTools,
  ...wordTools,
  ...lineTools,
  ...tableTools,
  ...jsonTools,
]
const judge = referenceJudge()
const seeds = 200

describe('known answers', () => {
  test('there are some for every tool of the bundled servers', () => {
    expect([...answerKeys.keys()].toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
  })

  test.each(tools.map((tool) => [tool.name, tool] as const))(
    `of %s agree with the tool on ${seeds} seeds`,
    async (name, tool) => {
      for (let seed = 0; seed < seeds; seed += 1) {
        const task = answerKeys.get(name)!.draw(randomOf(`${name} ${seed}`))
        const { result, text } = tool.call(task.arguments)
        const verdict = await judge.judge(
          task,
          answered(text, JSON.parse(JSON.stringify(result)) as JsonValue),
        )
        expect(
          verdict,
          `seed ${seed}: ${task.text} ${JSON.stringify(task.arguments)} ${JSON.stringify(task.reference)} ${text}`,
        ).toMatchObject({ grade: 5 })
      }
    },
  )

  test.each(tools.map(({ name }) => name))(
    'of %s differ from seed to seed, and the same seed draws the same',
    (name) => {
      const draw = (seed: number) => JSON.stringify(answerKeys.get(name)!.draw(randomOf(String(seed))))
      expect(new Set(Array.from({ length: 50 }, (_, seed) => draw(seed))).size).toBeGreaterThan(4)
      expect(draw(7)).toBe(draw(7))
    },
  )

  test.each(tools.map(({ name }) => name))(
    'of %s are not met by the answer to another task',
    async (name) => {
      const tasks = Array.from({ length: 30 }, (_, seed) =>
        answerKeys.get(name)!.draw(randomOf(`other ${seed}`)),
      )
      const tool = tools.find((one) => one.name === name)!
      const verdicts = await Promise.all(
        tasks.slice(1).map((task, index) => {
          const { result, text } = tool.call(task.arguments)
          return judge.judge(tasks[index]!, answered(text, JSON.parse(JSON.stringify(result)) as JsonValue))
        }),
      )
      expect(verdicts.filter((verdict) => 'grade' in verdict && verdict.grade < 4).length).toBeGreaterThan(0)
    },
  )
})
