import { analyse } from 'scslre'
import { describe, expect, test } from 'vitest'
import { cpuTime } from './cpu-time.ts'
import { builtPatterns, literalPatterns } from './patterns.ts'
import { pumps } from './pumped.ts'

/** What the analysis takes for slow and is not, or reads no text of others. */
const allowed: ReadonlyMap<string, string> = new Map([
  [
    '[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|\\$',
    'what the first way gives up the second takes',
  ],
])

const all = [...literalPatterns(), ...(await builtPatterns())]

const timeOf = (regex: RegExp, text: string): number => cpuTime(() => text.replace(regex, ''), 3)

describe('regular expressions in src', () => {
  test('are found, those that are built while a module is loaded too', () => {
    expect(all.length).toBeGreaterThan(800)
    expect(all.filter(({ file }) => file === 'domain/text/secrets.ts').length).toBeGreaterThan(5)
    expect(
      all.some(({ file, regex }) => file === 'domain/text/secrets.ts' && regex.source.includes('passphrase')),
    ).toBe(true)
  })

  test('take no more than linear time by analysis of each', () => {
    const slow = all.flatMap(({ file, regex }) =>
      allowed.has(regex.source)
        ? []
        : analyse(regex, { maxReports: 1 }).reports.map(
            ({ type, character }) =>
              `${file}: ${regex} repeats its work (${type}) on many ${JSON.stringify(character.pick)}`,
          ),
    )
    expect(slow).toEqual([])
  })

  test('take no more than linear time on texts that repeat what they look for', () => {
    const slow = all.flatMap(({ file, regex }) => {
      const everywhere = new RegExp(regex.source, /[gy]/.test(regex.flags) ? regex.flags : `${regex.flags}g`)
      return pumps(regex).flatMap(({ lead, round }) => {
        const text = (length: number) => `${lead}${round.repeat(Math.ceil(length / round.length))}\n\u0000`
        const growth = (length: number) =>
          timeOf(everywhere, text(4 * length)) / Math.max(timeOf(everywhere, text(length)), 0.05)
        // What takes the cube of the length is told early, and not waited for. Bounded repetitions are all spent at 5,000.
        const isSlow = growth(500) > 40 || (growth(5_000) > 9 && growth(8_000) > 9 && growth(5_000) > 9)
        return isSlow
          ? [`${file}: ${regex} on ${JSON.stringify(lead)} and many ${JSON.stringify(round)}`]
          : []
      })
    })
    expect(slow).toEqual([])
  })
})
