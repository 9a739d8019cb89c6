import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packed, planes, textColumns, zigzag } from '../../src/evaluation/report/pack/columns.ts'
import { wordCode } from '../../src/evaluation/report/pack/word-code.ts'
import { pageModule } from '../fakes/report-page.ts'

const { inflate, numbers, texts, unzigzag, wordTexts } = await pageModule('unpack.js')

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc
    .array(fc.constantFrom('the', 'a', ' ', '  ', 'München', '東京', '\n', '👩‍👩‍👧', '\ufeff', '-', '7'))
    .map((all) => all.join('')),
)

/** Through deflate and base64, as columns travel. */
const travelled = (bytes: Uint8Array): Promise<Uint8Array> => inflate(packed(bytes))

describe('what the packer writes, the page reads', () => {
  test('numbers of any size', async () => {
    const number = fc.oneof(fc.nat(300), fc.nat(70_000), fc.nat(2 ** 32 - 1))
    await fc.assert(
      fc.asyncProperty(fc.array(number), async (values) => {
        expect([...numbers(await travelled(planes(values)))]).toEqual(values)
      }),
    )
  })

  test('numbers with a sign', () => {
    fc.assert(fc.property(fc.integer({ min: -1e9, max: 1e9 }), (value) => unzigzag(zigzag(value)) === value))
  })

  test('texts that share their beginnings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText), async (all) => {
        const columns = textColumns('x', all)
        const [shared, lengths, letters] = await Promise.all(
          ['shared', 'lengths', 'letters'].map(async (part) => travelled(columns[`x.${part}`]!)),
        )
        expect(texts(numbers(shared!), numbers(lengths!), letters!)).toEqual(all)
      }),
    )
  })

  test('texts as words', () => {
    const text = anyText.map((one) => one.replaceAll('\u0000', ''))
    fc.assert(
      fc.property(fc.array(text), (all) => {
        const { words, spaced, codes } = wordCode(all)
        expect(wordTexts(words, Uint32Array.from(spaced), codes)).toEqual(all)
      }),
    )
  })
})

describe('texts as words', () => {
  test.each([
    { why: 'a space between words is understood', text: 'book a table', words: ['book', 'a', 'table'] },
    { why: 'two spaces are not', text: 'book  it', words: ['book', ' ', ' ', 'it'] },
    { why: 'letters of scripts without spaces stand alone', text: '東京tower', words: ['東', '京', 'tower'] },
    { why: 'a run of letters without end is cut', text: 'x'.repeat(50), words: ['x'.repeat(24), '', 'xx'] },
  ])('$why', ({ text, words }) => {
    expect(new Set(wordCode([text]).words.slice(1))).toEqual(new Set(words))
  })

  test('common words take one byte', () => {
    const { codes } = wordCode(Array.from({ length: 100 }, () => 'find the weather'))
    expect(codes.length).toBe(100 * 4)
  })
})
