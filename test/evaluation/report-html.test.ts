import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { html, verbatim } from '../../src/evaluation/report/html.ts'
import { contentPolicy, inlineJson, inlineScript } from '../../src/evaluation/report/inline.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('</script>', '<!--', '<script>', '"onload="x', "'", '&lt;', '</td>', ']]>', '\u202e'),
)

/** What a browser reads from escaped text. */
const unescaped = (markup: string): string =>
  markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('html', () => {
  test('no text that is put into markup can end a tag, an attribute or a text', () => {
    fc.assert(
      fc.property(
        fc.array(hostile).map((texts) => texts.join('')),
        (text) => {
          const { markup } = html`${text}`
          expect(markup).not.toMatch(/[<>"']/)
          expect(markup).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/)
        },
      ),
    )
  })

  test('what is escaped reads as it was', () => {
    fc.assert(fc.property(fc.string(), (text) => unescaped(html`${text}`.markup) === text))
  })

  test.each([
    { why: 'a text is escaped', value: '<b>', expected: '<p>&lt;b&gt;</p>' },
    { why: 'a number stands as it is', value: 1.5, expected: '<p>1.5</p>' },
    { why: 'markup stands as it is', value: html`<b>${'&'}</b>`, expected: '<p><b>&amp;</b></p>' },
    { why: 'markup is joined', value: [html`<i>1</i>`, html`<i>2</i>`], expected: '<p><i>1</i><i>2</i></p>' },
    { why: 'nothing leaves no trace', value: undefined, expected: '<p></p>' },
    {
      why: 'bidirectional overrides and controls are left out',
      value: 'a\u202eb\u0007c',
      expected: '<p>abc</p>',
    },
  ])('$why', ({ value, expected }) => {
    expect(html`<p>${value}</p>`.markup).toBe(expected)
  })
})

describe('inlineJson', () => {
  test('holds nothing that ends a script, and reads as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('</script>', '<!--<script>'))), (texts) => {
        const { markup } = inlineJson('facts', { texts })
        const [, inside = ''] =
          /^<script type="application\/json" id="facts">([\s\S]*)<\/script>\n$/.exec(markup) ?? []
        expect(inside).not.toContain('<')
        expect(JSON.parse(inside)).toEqual({ texts })
      }),
    )
  })
})

describe('scripts of ours', () => {
  test.each(['a</script>b', 'a<!--b', 'a<SCRIPT>b', 'a</style>b'])('%s cannot stand in a page', (text) => {
    expect(() => inlineScript(text)).toThrow('Write it as two strings')
  })

  test('are allowed by their hash, and nothing else is', () => {
    // Of "alert(1)", by an independent program: openssl dgst -sha256 -binary | base64.
    const policy = contentPolicy(['alert(1)'], [])
    expect(policy).toContain("script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='")
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  test('are hashed as a browser reads them, whatever their line ends', () => {
    expect(contentPolicy(['a\r\nb'], [])).toBe(contentPolicy(['a\nb'], []))
    expect(inlineScript('a\r\nb').markup).toBe(verbatim('<script>a\nb</script>').markup)
  })
})
