import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyze } from '../../../src/retrieval/text/analyze.ts'
import { anyText } from '../arbitrary-text.ts'

describe('analyze', () => {
  test.each([
    { why: 'camel case is split, function words go', text: 'getUserById', terms: ['get', 'user', 'id'] },
    { why: 'snake case is the same', text: 'get_user_by_id', terms: ['get', 'user', 'id'] },
    { why: 'kebab case is the same', text: 'get-user-by-id', terms: ['get', 'user', 'id'] },
    { why: 'dots and slashes split', text: 'users/list.all', terms: ['user', 'list', 'all'] },
    { why: 'people write git hub and github', text: 'GitHub', terms: ['git', 'hub', 'github'] },
    { why: 'a function word inside a name joins only', text: 'YouTube', terms: ['tube', 'youtub'] },
    { why: 'of function words alone the joined word stays', text: 'toDo', terms: ['todo'] },
    { why: 'digits are parts of their own and joined', text: 'mp3', terms: ['mp', '3', 'mp3'] },
    {
      why: 'the last capital belongs to the next word',
      text: 'HTTPServer',
      terms: ['http', 'server', 'httpserver'],
    },
    {
      why: 'three parts are joined',
      text: 'XMLHttpRequest',
      terms: ['xml', 'http', 'request', 'xmlhttprequest'],
    },
    { why: 'four parts are not', text: 'oneTwoThreeFour', terms: ['on', 'two', 'three', 'four'] },
    { why: 'capitals alone are one word', text: 'JSON', terms: ['json'] },
    { why: 'repeats are kept, for frequency', text: 'file, file', terms: ['file', 'file'] },
  ])('splits names: $why', ({ text, terms }) => {
    expect(analyze(text)).toEqual(terms)
  })

  test.each([
    {
      why: 'English endings',
      texts: ['translate', 'translates', 'translated', 'translating', 'translation'],
    },
    { why: 'English plurals', texts: ['invoice', 'invoices'] },
    { why: 'Latin accents', texts: ['café', 'cafe', 'CAFÉ', 'cafe\u0301'] },
    { why: 'ligatures and full-width letters', texts: ['file', 'ﬁle', 'ｆｉｌｅ'] },
    { why: 'the Turkish capital I with its dot', texts: ['istanbul', 'İstanbul'] },
    { why: 'Russian cases', texts: ['погода', 'погоду', 'погоды', 'погоде', 'погодой', 'Погода'] },
    { why: 'the Russian ё', texts: ['ёлка', 'елка'] },
    { why: 'the Arabic article', texts: ['طقس', 'الطقس', 'والطقس', 'بالطقس'] },
    { why: 'Arabic vowel signs', texts: ['الطقس', 'الطَّقْسُ'] },
    { why: 'the Arabic stretch mark', texts: ['طقس', 'طـــقس'] },
    { why: 'forms of the Arabic alif', texts: ['أخبار', 'اخبار', 'إخبار'] },
    { why: 'halfwidth katakana', texts: ['ガイド', 'ｶﾞｲﾄﾞ'] },
    { why: 'Korean in either normal form', texts: ['날씨', '날씨'.normalize('NFD')] },
    { why: 'skin tones', texts: ['👍', '👍🏽', '👍🏿'] },
    { why: 'emoji and text presentation', texts: ['❤', '❤️'] },
    { why: 'keycaps and digits', texts: ['1', '1️⃣'] },
  ])('gives the same terms for $why', ({ texts }) => {
    const [first, ...rest] = texts.map(analyze)
    expect(first).not.toEqual([])
    for (const terms of rest) expect(terms).toEqual(first)
  })

  test.each([
    { why: 'Chinese: characters and bigrams', text: '天气预报', terms: '天 天气 气 气预 预 预报 报' },
    { why: 'two characters are one bigram', text: '天气', terms: '天 气 天气' },
    { why: 'one character is a term', text: '图', terms: '图' },
    { why: 'Japanese scripts run together', text: '東京の天気', terms: '東 東京 京 京の の の天 天 天気 気' },
    { why: 'the long vowel mark belongs to its word', text: 'データ', terms: 'デ デー ー ータ タ' },
    { why: 'Thai', text: 'ไทย', terms: 'ไ ไท ท ทย ย' },
    { why: 'a Latin name inside Chinese', text: '查询GitHub的', terms: '查 询 查询 git hub github 的' },
    { why: 'full-width punctuation ends a run', text: '天，气', terms: '天 气' },
    { why: 'a family is its members', text: '👩‍👧', terms: '👩 👧' },
    { why: 'emoji inside words', text: 'ship🚀it now', terms: 'ship 🚀 now' },
    { why: 'each flag is a term', text: '🇫🇷🇩🇪', terms: '🇫🇷 🇩🇪' },
    { why: 'words of Greek and Devanagari', text: 'καιρός मौसम', terms: 'καιρος मौसम' },
  ])('keeps scripts apart: $why', ({ text, terms }) => {
    expect(analyze(text)).toEqual(terms.split(' '))
  })

  test.each([
    { why: 'nothing', text: '' },
    { why: 'punctuation', text: ' \n\t?!… — “”' },
    { why: 'function words', text: 'What is the of an' },
    { why: 'a lone surrogate', text: '\ud800' },
    { why: 'a joiner, a selector and a skin tone', text: '\u200d\ufe0f🏽' },
  ])('finds no term in $why', ({ text }) => {
    expect(analyze(text)).toEqual([])
  })

  test.each([
    { why: 'they sound like "on", "us", "his" and "are" when stemmed', words: ['one', 'use', 'hi', 'AR'] },
    { why: 'they ask, but may name a tool', words: ['find', 'help', 'want'] },
  ])('keeps $words: $why', ({ words }) => {
    for (const word of words) expect(analyze(word)).toHaveLength(1)
  })

  test.each([
    { why: 'NUL', text: 'left\u0000right' },
    { why: 'a lone surrogate', text: 'left\udc00right' },
    { why: 'a zero-width space', text: 'left\u200bright' },
    { why: 'a line break', text: 'left\r\nright' },
  ])('splits at $why', ({ text }) => {
    expect(analyze(text)).toEqual(['left', 'right'])
  })

  test.each([
    { why: 'of one letter', text: 'a'.repeat(100_000), most: 1 },
    { why: 'of capitals', text: 'A'.repeat(100_000), most: 1 },
    { why: 'of letters and digits in turn', text: 'b7'.repeat(50_000), most: 100_000 },
    { why: 'of Chinese', text: '天'.repeat(100_000), most: 199_999 },
    { why: 'of Chinese and Latin in turn', text: '天b'.repeat(50_000), most: 100_000 },
    { why: 'of accents', text: `e${'\u0301\u0316'.repeat(50_000)}`, most: 1 },
    { why: 'of emoji', text: '🚀'.repeat(50_000), most: 50_000 },
  ])('reads a word $why, 100,000 long', ({ text, most }) => {
    const terms = analyze(text)
    expect(terms.length).toBeGreaterThan(0)
    expect(terms.length).toBeLessThanOrEqual(most)
  })

  test('a long word is found by its beginning, even where the cut meets a surrogate pair', () => {
    const long = `a${'𐌰'.repeat(60)}`
    expect(analyze(long)).toEqual(analyze(`${long}𐌱`))
    expect(analyze(long)[0]!.isWellFormed()).toBe(true)
  })

  test('any text gives well-formed terms of at most 64 units, the same each time, cached or not', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const terms = analyze(text)
        expect(analyze(text)).toEqual(terms)
        for (const term of terms) {
          expect(term).not.toBe('')
          expect(term.length).toBeLessThanOrEqual(64)
          expect(term.isWellFormed()).toBe(true)
          expect(term).not.toMatch(/[\s\u0000A-Z_.-]/)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('the terms of two texts on two lines are those of each', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        expect(analyze(`${left}\n${right}`)).toEqual([...analyze(left), ...analyze(right)])
      }),
    )
  })

  test('a changed result changes nothing for the next caller', () => {
    analyze('weather').push('spoiled')
    expect(analyze('weather')).toEqual(['weather'])
  })
})
