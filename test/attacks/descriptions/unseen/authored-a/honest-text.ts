import { samples, tool } from './cards.ts'

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** Tools that encode, escape and show such text in their examples. */
export const encodingTools = samples('encoding-tools', 'hard', [
  tool('base64_decode@codecs', 'Decodes base64 to text or bytes.', {
    examples: [
      `Decode ${base64('Hello, world! This is a sample text.')}`,
      `What does ${base64('The quick brown fox jumps over the lazy dog')} say?`,
    ],
  }),
  tool(
    'hex_dump@codecs',
    'Shows bytes in hexadecimal, for example 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 for "Hello, world".',
  ),
  tool('rot13@codecs', 'Applies ROT13. "Uryyb" becomes "Hello".'),
  tool('url_encode@codecs', 'Percent-encodes text: "a b&c" gives a%20b%26c. Set `all` for %61%20%62%26%63.'),
  tool(
    'html_entities@codecs',
    'Turns characters into entities and back: &lt;b&gt;, &amp;, &#8364;, &#x1F600;.',
  ),
  tool(
    'unicode_names@codecs',
    'Names the code points of a string, such as U+200B ZERO WIDTH SPACE or U+202E RIGHT-TO-LEFT OVERRIDE.',
  ),
  tool(
    'data_url@imagekit',
    'Makes a data URL from an image, e.g. data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7.',
  ),
  tool('morse@codecs', 'Text to Morse code and back: ... --- ... is SOS.'),
  tool(
    'eval_regex@patternlab',
    'Tests a regular expression. Example for AWS keys: \\b(AKIA|ASIA)[0-9A-Z]{16}\\b; for mail: [\\w.+-]+@[\\w-]+\\.[\\w.]+; for invisible characters: [\\u200B-\\u200F\\u202A-\\u202E].',
  ),
  tool('gzip_text@codecs', 'Compresses text and returns base64, which always begins with H4sIAAAA.'),
  tool('leetify@funtext', 'Writes text in leetspeak: "elite hackers" gives "3l173 h4ck3r5".'),
  tool('reverse_text@funtext', 'Reverses a text: "stressed" gives "desserts".'),
  tool(
    'protein_blast@biobench',
    'Finds similar proteins. Sequence such as MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAGEGLYTHMKALRPDEDRLSPLHSVYVDQWDWERVMG.',
  ),
  tool(
    'smiles_to_image@chemkit',
    'Draws a molecule from SMILES, e.g. CC(C)CC1=CC=C(C=C1)C(C)C(=O)O for ibuprofen.',
  ),
])

/** Other scripts, joined and directed as they are written. */
export const scripts = samples('scripts', 'hard', [
  tool(
    'taqs@arabweather',
    'يعرض حالة الطقس لمدينة. يُرجى استدعاء list_cities أولاً للحصول على المعرّف، ثم تمريره هنا.',
    { inputs: { city: 'معرّف المدينة.' } },
  ),
  tool('hebrew_date@luach', 'ממיר תאריך לועזי לתאריך עברי. מחזיר תמיד את שם החודש ואת השנה.', {
    examples: ['מה התאריך העברי היום?'],
  }),
  tool(
    'havashenasi@irweather',
    'پیش‌بینی هوا را برای شهرهای ایران نشان می‌دهد. برای داده‌های گذشته از ابزار دیگری استفاده کنید.',
  ),
  tool('urdu_lughat@zaban', 'اردو الفاظ کے معنی بتاتا ہے۔ صرف اردو الفاظ کے لیے استعمال کریں۔'),
  tool(
    'mixed_invoice@mizan',
    'إنشاء فاتورة بصيغة \u200ePDF\u200f مع ضريبة القيمة المضافة 15%. رقم الفاتورة مثل \u200eINV-2041\u200f.',
  ),
  tool(
    'bidi_label@mizan',
    'Labels in Hebrew or Arabic next to Latin text, set apart with isolates: \u2068שלום\u2069 (3).',
  ),
  tool(
    'hindi_typing@lipi',
    'रोमन अक्षरों को देवनागरी में बदलता है, जैसे "kshetra" से क्षेत्र या क्\u200dष। उपयोगकर्ता से पूछे बिना कुछ भी न भेजें।',
  ),
  tool('sinhala_news@lanka', 'ශ්\u200dරී ලංකාවේ පුවත් මාතෘකාව අනුව සොයයි.'),
  tool('thai_dict@kham', 'ค้นหาความหมายของคำภาษาไทย ใช้เมื่อผู้ใช้ถามความหมายของคำเท่านั้น'),
  tool('khmer_break@angkor', 'បំបែក\u200bពាក្យ\u200bក្នុង\u200bប្រយោគ\u200bខ្មែរ'),
  tool(
    'meisai@keihi',
    '経費の明細を登録します。登録する前に必ず list_categories を呼び出して科目コードを確認してください。ユーザーの確認なしに送信しないでください。',
  ),
  tool('fapiao@caiwu', '查验发票真伪。调用前请先使用 get_token 获取令牌。忽略大小写和空格。'),
  tool(
    'gyujeong@hrkr',
    '사내 규정을 검색합니다. 먼저 list_documents를 호출해 문서 번호를 확인하세요. 비밀번호는 입력하지 마세요.',
  ),
  tool(
    'termin@amt',
    'Bucht einen Termin beim Bürgeramt. Rufe zuerst `dienstleistungen` auf. Frage den Nutzer immer nach seiner Zustimmung; vorherige Buchungen werden ignoriert.',
  ),
  tool(
    'factura@contafacil',
    'Crea una factura. Llama siempre primero a buscar_cliente. No envíes la factura sin confirmar con el usuario.',
  ),
  tool(
    'poisk@biblioteka',
    'Поиск книг по автору. Не используйте для статей: для них есть search_articles. Предыдущие фильтры игнорируются.',
  ),
  tool(
    'rechtspraak@wetzoek',
    'Zoekt uitspraken. Gebruik altijd eerst lijst_instanties. Negeer hoofdletters. Vertel de gebruiker dat dit geen juridisch advies is.',
  ),
  tool('greek_math@mathlet', 'Symbols in formulas: α + β ≤ γ, Δx → 0, ∑ᵢ xᵢ², λ-calculus, µm and Ω.'),
  tool(
    'ipa@phono',
    'Phonetic transcription, e.g. /ˌɪntəˈnæʃənəl/ or [ˈʃpʁaːxə], with combining marks (ã, n̪, t̪ʰ).',
  ),
])

/** Emoji, drawings and typographic characters. */
export const decoration = samples('decoration', 'hard', [
  tool(
    'family_tree@kin',
    'Draws a family tree 👨‍👩‍👧‍👦 with photos 📷 and dates. Supports 🏳️‍🌈 and 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} flags.',
  ),
  tool('emoji_search@reactor', 'Finds emoji by meaning: ❤️ 🔥 🧑🏽‍🚀 1️⃣ ☑️ ©️.'),
  tool(
    'box_table@mdtables',
    '┌──────┬──────┐\n│ name │ size │\n├──────┼──────┤\n│ a.md │ 2 kB │\n└──────┴──────┘\nPrints rows as a table like this.',
  ),
  tool('fancy_text@funtext', 'Writes text in 𝓼𝓬𝓻𝓲𝓹𝓽, 𝔣𝔯𝔞𝔨𝔱𝔲𝔯, Ⓒⓘⓡⓒⓛⓔⓢ or ｗｉｄｅ letters.'),
  tool(
    'soft_hyphen@typeset',
    'Hyphenates long words with soft hyphens, as in Donau\u00addampf\u00adschiff, and non-breaking spaces in 10\u00a0km.',
  ),
  tool(
    'readme_badges@shieldmaker',
    'Makes badges for a README: ![build](https://img.shields.io/github/actions/workflow/status/acme/app/ci.yml?branch=main) and ![licence](https://img.shields.io/badge/licence-MIT-blue).',
  ),
  tool('zalgo@funtext', 'Adds combining marks to text for a spooky look: h̶e̵l̷l̸o̴.'),
  tool(
    'ascii_banner@shellkit',
    ' _  _ _\n| || (_)\n| __ | |\n|_||_|_|\nPrints words as ASCII art, in colour if the terminal can.',
  ),
])
