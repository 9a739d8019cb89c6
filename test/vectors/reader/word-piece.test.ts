import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wordPiece } from '../../../src/vectors/reader/word-piece.ts'
import { anyText } from '../../retrieval/arbitrary-text.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789']
const vocabulary = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  ...letters,
  ...letters.map((letter) => `##${letter}`),
  'get',
  'user',
  'by',
  'id',
  'file',
  '##s',
  'un',
  '##aff',
  '##able',
  'cafe',
  '##id',
  'strasse',
  'weather',
  'play',
  '##ing',
  '##ed',
  'the',
  '(',
  ')',
  '_',
  ':',
  '.',
  '-',
  '"',
  '<',
  '>',
  '/',
  '€',
  '$',
  '5',
  '🙂',
  'wetter',
  'fur',
  'munchen',
  'gr',
  '##oß',
  '##e',
  'ß',
  'пог',
  '##ода',
  'и',
  'м',
  '##ои',
  'е',
  'ж',
  'الطقس',
  'كتاب',
  'في',
  '날',
  '##씨',
  '서울',
  '날씨',
  '天',
  '气',
  '天气',
  '查',
  '北京',
  '東京',
  'の',
  'デ',
  'データ',
  'ー',
  '々',
  '人',
  'が',
  '##天',
  'す',
  'です',
  '१२',
  'मौ',
  '##सम',
]
const pieces = wordPiece(`${[...new Set(vocabulary)].join('\n')}\n`, 'vocabulary.txt')
const names = [...new Set(vocabulary)]
const read = (text: string, limit = 64): string =>
  pieces
    .tokens(text, limit)
    .map((id) => names[id])
    .join(' ')
const inside = (text: string): string =>
  read(text)
    .replace(/^\[CLS\] ?/, '')
    .replace(/ ?\[SEP\]$/, '')

/** BERT's own tokenizers for uncased ASCII: signs apart, then greedy longest match, a word of unknown parts unknown as a whole. But tabs of all kinds are spaces. */
function asBertReads(text: string): readonly string[] {
  const words = text
    .replace(/[\x00-\x08\x0e-\x1f\x7f]/g, '')
    .toLowerCase()
    .match(/[a-z0-9]+|[^a-z0-9\s]/g)
  return (words ?? []).flatMap((word) => {
    const found: string[] = []
    for (let at = 0; at < word.length; ) {
      let end = word.length
      const piece = () => `${at === 0 ? '' : '##'}${word.slice(at, end)}`
      while (end > at && !names.includes(piece())) end--
      if (end === at) return ['[UNK]']
      found.push(piece())
      at = end
    }
    return found
  })
}

describe('pieces of a text', () => {
  test.each([
    { why: 'known words are whole', text: 'get the file', is: 'get the file' },
    { why: 'the longest piece comes first', text: 'unaffable', is: 'un ##aff ##able' },
    { why: 'case does not count', text: 'GET User', is: 'get user' },
    { why: 'a name is one word', text: 'getUserById', is: 'get ##u ##s ##e ##r ##b ##y ##id' },
    { why: 'signs are words', text: 'get_user(id: "5")', is: 'get _ user ( id : " 5 " )' },
    { why: 'markup is signs', text: '<b>file</b>', is: '< b > file < / b >' },
    { why: 'symbols are words too', text: '€5$', is: '€ 5 $' },
    { why: 'accents are dropped', text: 'Café CAFÉ cafe\u0301', is: 'cafe cafe cafe' },
    { why: 'compatible forms are one', text: 'ﬁle Ｆｉｌｅ ５', is: 'file file 5' },
    { why: 'umlauts lose their dots', text: 'Wetter für München', is: 'wetter fur munchen' },
    { why: 'sharp s stays', text: 'große', is: 'gr ##oß ##e' },
    { why: 'Cyrillic', text: 'Погода', is: 'пог ##ода' },
    { why: 'breve and dots of Cyrillic are dropped', text: 'мой ё', is: 'м ##ои е' },
    { why: 'Arabic loses vowel signs and the stretch mark', text: 'الطَّقْسُ كـتـاب', is: 'الطقس كتاب' },
    { why: 'Korean syllables stay whole', text: '날씨 서울', is: '날씨 서울' },
    { why: 'Korean that came in parts is put together', text: '날씨'.normalize('NFD'), is: '날씨' },
    { why: 'Chinese is matched by plain pieces', text: '查天气北京', is: '查 天气 北京' },
    { why: 'and never by those that go on', text: '人天', is: '人 天' },
    { why: 'Japanese, with its stretch mark', text: '東京のデータです', is: '東京 の データ です' },
    { why: 'a kana and its mark are one', text: 'か\u3099', is: 'が' },
    { why: 'composed kana are known', text: 'が が'.normalize('NFD'), is: 'が が' },
    { why: 'scripts are cut apart', text: 'get天气file', is: 'get 天气 file' },
    { why: 'Devanagari keeps its vowel signs', text: 'मौसम', is: 'मौ ##सम' },
    { why: 'emoji are words', text: 'play🙂🙂ing', is: 'play 🙂 🙂 i ##n ##g' },
    { why: 'what is not seen is dropped', text: 'fi\u200ble\ufe0f\u0000 \u00ad', is: 'file' },
    { why: 'all white space is one', text: '\tget\u00a0the\u3000file\u2028\n', is: 'get the file' },
    { why: 'a character that no piece begins with is unknown', text: 'get Ω', is: 'get [UNK]' },
    { why: 'several in a row are unknown once', text: 'ΩΩΩ', is: '[UNK]' },
    { why: 'what stands around them is known', text: 'getΩΨs', is: 'get [UNK] ##s' },
    { why: 'a word goes on with a plain character where it must', text: 'getжs', is: 'get ж ##s' },
    { why: 'there may be nothing', text: ' \n\t ', is: '' },
  ])('$why: $text', ({ text, is }) => {
    expect(inside(text)).toBe(is)
  })

  test('a word of 100 characters is read, a longer one is unknown', () => {
    expect(inside(`${'a'.repeat(100)}`).split(' ')).toHaveLength(62)
    expect(inside('a'.repeat(101))).toBe('[UNK]')
    expect(inside(`${'𐌰'.repeat(100)} file`)).toBe('[UNK] file')
  })

  test('what is more than the limit is cut off, and the ends stay', () => {
    expect(read('get the file', 4)).toBe('[CLS] get the [SEP]')
    expect(read('get the file', 2)).toBe('[CLS] [SEP]')
    expect(read('', 2)).toBe('[CLS] [SEP]')
  })

  test('a special token cannot be written', () => {
    expect(inside('[CLS] [PAD]')).not.toMatch(/\[(?:CLS|PAD)\]/)
  })

  test('any text begins and ends as it should, within the limit, with pieces there are', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 70 }), (text, limit) => {
        const tokens = pieces.tokens(text, limit)
        expect(tokens.length).toBeLessThanOrEqual(limit)
        expect([tokens[0], tokens.at(-1)]).toEqual([2, 3])
        expect(tokens.every((id) => Number.isInteger(id) && id >= 0 && id < pieces.size)).toBe(true)
        expect(tokens.slice(1, -1).every((id) => id !== 0 && id !== 2 && id !== 3)).toBe(true)
      }),
    )
  })

  test('pieces of words of ASCII make up the words', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { maxLength: 6 }), (words) => {
        expect(inside(words.join(' ')).replaceAll(' ##', '')).toBe(words.join(' '))
      }),
    )
  })

  test('ASCII is read as BERT reads it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (text) => {
        expect(inside(text)).toBe(asBertReads(text).join(' '))
      }),
      { numRuns: 500 },
    )
  })

  test('a text can be normalised before without a difference', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(pieces.tokens(text.normalize('NFC'), 40)).toEqual(pieces.tokens(text, 40))
      }),
    )
  })

  test.each([
    { why: 'one word', text: 'a'.repeat(1e6) },
    { why: 'marks without end', text: `a${'\u0323\u0301'.repeat(5e5)}` },
    { why: 'unknown characters', text: 'Ω '.repeat(5e5) },
    { why: 'Chinese without spaces', text: '天'.repeat(1e6) },
    { why: 'signs', text: '('.repeat(1e6) },
    { why: 'what grows when it is normalised', text: '\ufdfa'.repeat(1e6) },
    { why: 'nothing that is seen', text: '\u200b'.repeat(1e6) },
    { why: 'white space', text: ' '.repeat(1e6) },
    { why: 'halves of characters', text: '\ud800'.repeat(1e6) },
  ])('of a megabyte of $why only the beginning is read', ({ text }) => {
    expect(pieces.tokens(text, 96)).toEqual(pieces.tokens(text.slice(0, 20_000), 96))
  })
})

describe('a vocabulary', () => {
  test.each(['[UNK]', '[CLS]', '[SEP]'])('without %s is refused', (piece) => {
    const text = ['[UNK]', '[CLS]', '[SEP]', 'a'].filter((one) => one !== piece).join('\n')
    expect(() => wordPiece(text, 'vocabulary.txt')).toThrow(`vocabulary.txt: there is no line "${piece}".`)
  })

  test('counts its lines, with or without a last line break', () => {
    expect(wordPiece('[UNK]\n[CLS]\n[SEP]', 'v').size).toBe(3)
    expect(wordPiece('[UNK]\n[CLS]\n[SEP]\n', 'v').size).toBe(3)
  })
})
