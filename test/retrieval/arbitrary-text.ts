import fc from 'fast-check'

const fragments = [
  ...[
    'search',
    'issues',
    'getUserById',
    'list_files',
    'GitHub',
    'mp3',
    'HTTP',
    'the',
    'find',
    'please',
    'Café',
  ],
  ...['查询', '天气预报', '東京の', 'データ', 'ไทย', '날씨를', 'погода', 'الطَّقْسُ', 'मौसम', '，', '。'],
  ...['👍🏽', '👩‍💻', '❤️', '🇫🇷', '1️⃣', '🏴\u{e0067}\u{e007f}', '𐌰𐌱', 'ǅ', 'ß', 'ﬁ', '½', '™'],
  ...['\u0000', '\ud800', '\udfff', '\u0301', '\ufe0f', '\u200d', '\u202e', '\ufeff', '\uffff'],
  ...[' ', '\n', '_', '-', '.', '"', "'", '7', 'A', 'z'],
]

/** Text as cards and people may hold it: many scripts, names, emoji and broken pieces, joined without care. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...fragments), { maxLength: 20 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.uint16Array({ maxLength: 40 }).map((units) => String.fromCharCode(...units)),
)
