import { describe, expect, test } from 'vitest'
import type { CatalogTool } from '../../../catalog/servers/shared/tool.ts'
import { bundledTools } from '../../../bench/probe-lift/variants/bundled-tools.ts'
import {
  type Answering,
  errorShare,
  faults,
  slowMs,
  soundAnswering,
} from '../../../bench/probe-lift/variants/faults.ts'

const toolNamed = (name: string): CatalogTool =>
  [...bundledTools.values()].flat().find((tool) => tool.name === name)!

const waited: number[] = []
const wait = async (milliseconds: number) => {
  waited.push(milliseconds)
}
const answering = (fault: string, tool: string): Answering =>
  faults.find(({ name }) => name === fault)!.wrap(toolNamed(tool), { publisher: 'cedar', wait })

describe('a fault does what it says', () => {
  test.each([
    {
      why: 'shares are parts of one instead of percent',
      fault: 'wrong-unit',
      tool: 'percentage_share',
      given: { part: 17, whole: 20 },
      says: { text: '17 is 0.85% of 20', structured: { percent: 0.85 } },
    },
    {
      why: 'spans are told in hours',
      fault: 'wrong-unit',
      tool: 'date_difference',
      given: { from: '2026-03-01', to: '2026-03-03' },
      says: {
        text: '48 days (0 years, 0 months, 48 days)',
        structured: { days: 48, wholeWeeks: 0, years: 0, months: 0, remainingDays: 48 },
      },
    },
    {
      why: 'the last of three addresses is gone',
      fault: 'truncated',
      tool: 'extract_urls',
      given: { text: 'http://a.io http://b.io http://c.io' },
      says: {
        text: 'http://a.io\nhttp://b.io',
        structured: { urls: ['http://a.io', 'http://b.io'] },
      },
    },
    {
      why: 'dates are a day late',
      fault: 'off-by-one',
      tool: 'nth_weekday_of_month',
      given: { year: 2026, month: 11, weekday: 'Thursday', nth: 4 },
      says: { text: 'Thursday, 2026-11-27', structured: { date: '2026-11-27' } },
    },
    {
      why: 'digits in a text count as a number',
      fault: 'off-by-one',
      tool: 'common_divisor_and_multiple',
      given: { numbers: [12, 18] },
      says: { text: 'GCD 7, LCM 37', structured: { gcd: '7', lcm: '37' } },
    },
    {
      why: 'only two digits are left',
      fault: 'rounded',
      tool: 'percent_of',
      given: { percent: 19, amount: 250 },
      says: {
        text: '19% of 250 is 48 (plus: 300, minus: 200)',
        structured: { part: 48, increased: 300, decreased: 200 },
      },
    },
    {
      why: 'nothing is said',
      fault: 'empty',
      tool: 'slugify',
      given: { text: 'Anything' },
      says: { text: '', structured: { slug: null } },
    },
    {
      why: 'the answer is that to the example',
      fault: 'constant',
      tool: 'matrix_determinant',
      given: { matrix: [[7]] },
      says: { text: 'Determinant -2', structured: { determinant: -2 } },
    },
  ])('$fault: $why', async ({ fault, tool, given, says }) => {
    expect(await answering(fault, tool)(given)).toEqual(says)
  })

  test('stale: each call gets the answer to the one before, the first a stored one', async () => {
    const answer = answering('stale', 'leap_year')
    const years = [2000, 2023, 2024]
    const texts = []
    for (const year of years) texts.push((await answer({ year })).text)
    expect(texts).toEqual(['2028 is a leap year', '2000 is a leap year', '2023 is no leap year'])
  })

  test('errors: about 30% of calls fail, the same ones every time, and the others are right', async () => {
    const outcomes = async () => {
      const answer = answering('errors', 'factorize')
      const ended: string[] = []
      for (let value = 2; value < 1002; value += 1) {
        const right = (await soundAnswering(toolNamed('factorize'))({ value })).text
        const told = await answer({ value }).then(
          ({ text }) => text,
          () => 'error',
        )
        if (told !== 'error') expect(told).toBe(right)
        ended.push(told)
      }
      return ended
    }
    const ended = await outcomes()
    const share = ended.filter((text) => text === 'error').length / ended.length
    expect(Math.abs(share - errorShare)).toBeLessThan(0.05)
    expect(await outcomes()).toEqual(ended)
  })

  test('slow: right, after a wait', async () => {
    waited.length = 0
    expect((await answering('slow', 'leap_year')({ year: 2000 })).text).toBe('2000 is a leap year')
    expect(waited).toEqual([slowMs])
  })

  test('refusing: a polite excuse, and no error', async () => {
    const { text, structured } = await answering('refusing', 'leap_year')({ year: 2000 })
    expect(text).toMatch(/sorry/)
    expect(structured).toEqual({ isLeapYear: null, daysInFebruary: null, daysInYear: null })
  })

  test('wrong arguments are refused as by the sound tool', async () => {
    for (const { name } of faults) await expect(answering(name, 'leap_year')({})).rejects.toThrow(/leap_year/)
  })
})
