import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printable } from '../../src/domain/text/printable.ts'
import { contentPolicy, inlined, renderReport } from '../../src/evaluation/report/render-report.ts'
import { madeUpRun, madeUpTiming } from '../fakes/evaluation-runs.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('</script>', '<!--', '<script>', '"onload="x', "'", '&lt;', '</td>', ']]>', '\u202e'),
)

/** What a browser reads from escaped text. */
const unescaped = (markup: string): string =>
  markup.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

describe('texts of a report', () => {
  const run = madeUpRun({ queries: 2, parts: 1 })

  test('end no tag, attribute or text, and read as they were', async () => {
    const texts = fc.array(hostile).map((some) => `x${some.join('')}`)
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const page = await renderReport({
          run: { ...run, name: text, dataset: { ...run.dataset, name: text } },
          timing: { ...madeUpTiming(), startedAt: text },
        })
        const shown = printable(text)
        for (const [place, before, after] of [
          ['heading', '<h1>', '</h1>'],
          ['attribute', '<time datetime="', '"'],
        ] as const) {
          const from = page.indexOf(before) + before.length
          const inside = page.slice(from, page.indexOf(after, from))
          expect(inside, place).not.toMatch(/[<"]/)
          expect(unescaped(inside), place).toBe(shown)
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('scripts of ours', () => {
  test.each(['a</script>b', 'a<!--b', 'a<SCRIPT>b', 'a</style>b'])('%s cannot stand in a page', (text) => {
    expect(() => inlined(text)).toThrow('Write it as two strings')
  })

  test('are allowed by their hash, and nothing else is', () => {
    // Of "alert(1)", by an independent program: openssl dgst -sha256 -binary | base64.
    const policy = contentPolicy('alert(1)', '')
    expect(policy).toContain("script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='")
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  test('are hashed as a browser reads them, whatever their line ends', () => {
    expect(contentPolicy('a\r\nb', '')).toBe(contentPolicy('a\nb', ''))
    expect(inlined('a\r\nb')).toBe('a\nb')
  })
})
