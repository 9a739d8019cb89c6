import { type AnswerKey, type Draws, known } from './answer-key.ts'

/** Plain words, in alphabetical order. */
export const plainWords = [
  'amber',
  'basket',
  'candle',
  'dinner',
  'engine',
  'forest',
  'garden',
  'harbor',
  'island',
  'jacket',
  'kettle',
  'lantern',
  'market',
  'needle',
  'orchard',
  'pencil',
  'quarter',
  'river',
  'saddle',
  'ticket',
]

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
const sentence = (random: Draws): string =>
  `${capital(random.shuffled(plainWords).slice(0, random.whole(2, 7)).join(' '))}.`

/** What a title's words become in a slug. */
const slugs: readonly (readonly [string, string])[] = [
  ['Crème', 'creme'],
  ['Straße', 'strasse'],
  ['Über', 'uber'],
  ['Señor', 'senor'],
  ['10%', '10'],
  ['C++', 'c'],
  ['Rock', 'rock'],
  ["don't", 'dont'],
  ['Ærø', 'aero'],
  ['(draft)', 'draft'],
]

/** Published digests. */
const digests: readonly (readonly [text: string, algorithm: string, hash: string])[] = [
  ['abc', 'md5', '900150983cd24fb0d6963f7d28e17f72'],
  ['abc', 'sha1', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['abc', 'sha256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['hello', 'md5', '5d41402abc4b2a76b9719d911017c592'],
  ['hello', 'sha1', 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'],
  ['hello', 'sha256', '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
  ['The quick brown fox jumps over the lazy dog', 'md5', '9e107d9d372bb6826bd81d3542a419d6'],
  ['The quick brown fox jumps over the lazy dog', 'sha1', '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12'],
  [
    'The quick brown fox jumps over the lazy dog',
    'sha256',
    'd7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592',
  ],
]

/** Words, names and encodings. */
export const wordKeys: readonly AnswerKey[] = [
  {
    tool: 'count_words',
    draw(random) {
      const sentences = Array.from({ length: random.whole(1, 5) }, () => sentence(random))
      const text = sentences.join(' ')
      const blanks = text.split(' ').length - 1
      const expected = {
        words: blanks + 1,
        characters: text.length,
        charactersWithoutSpaces: text.length - blanks,
        sentences: sentences.length,
        lines: 1,
      }
      return known(`Count the words, characters and sentences of: ${text}`, { text }, expected)
    },
  },
  {
    tool: 'extract_emails',
    draw(random) {
      const emails = random
        .shuffled(plainWords)
        .slice(0, random.whole(1, 4))
        .map(
          (word) => `${word}.${random.pick(plainWords)}@${random.pick(['example.org', 'mail.example.com'])}`,
        )
      const text = emails.map((email) => `${sentence(random)} Write to ${email}, please.`).join(' ')
      return known(`List the e-mail addresses in: ${text}`, { text }, { emails })
    },
  },
  {
    tool: 'extract_urls',
    draw(random) {
      const urls = random
        .shuffled(plainWords)
        .slice(0, random.whole(1, 4))
        .map((word) => `https://${word}.example.org/${random.whole(1, 99)}`)
      const text = urls.map((url) => `${sentence(random)} See ${url}, or ask.`).join(' ')
      return known(`List the links in: ${text}`, { text }, { urls })
    },
  },
  {
    tool: 'extract_numbers',
    draw(random) {
      const numbers = Array.from({ length: random.whole(2, 5) }, () =>
        random.pick([
          random.whole(0, 999),
          random.whole(1000, 99_999),
          -random.whole(1, 99),
          random.decimal(1, 99, 2),
        ]),
      )
      const text = numbers
        .map((number) => `${random.pick(plainWords)} ${number.toLocaleString('en-US')}`)
        .join(', ')
      return known(`List the numbers in: ${text}`, { text }, { numbers })
    },
  },
  {
    tool: 'slugify',
    draw(random) {
      const parts = random.shuffled(slugs).slice(0, random.whole(2, 5))
      const text = parts.map(([word]) => word).join(random.pick([' ', ' - ', ', ']))
      return known(
        `Make a slug of the title "${text}".`,
        { text },
        { slug: parts.map(([, slug]) => slug).join('-') },
      )
    },
  },
  {
    tool: 'change_case',
    draw(random) {
      const words = random.shuffled(plainWords).slice(0, random.whole(2, 4))
      const capitals = words.map(capital)
      const [to, wanted] = random.pick([
        ['upper', words.join(' ').toUpperCase()],
        ['title', capitals.join(' ')],
        ['sentence', capital(words.join(' '))],
        ['camel', words[0]! + capitals.slice(1).join('')],
        ['pascal', capitals.join('')],
        ['snake', words.join('_')],
        ['kebab', words.join('-')],
        ['constant', words.join('_').toUpperCase()],
      ] as const)
      return known(
        `Write "${words.join(' ')}" in ${to} case.`,
        { text: words.join(' '), to },
        { text: wanted },
      )
    },
  },
  {
    tool: 'encode_base64',
    draw(random) {
      const text = sentence(random)
      return known(`Encode in Base64: ${text}`, { text }, { encoded: btoa(text) })
    },
  },
  {
    tool: 'decode_base64',
    draw(random) {
      const text = sentence(random)
      return known(`Decode from Base64: ${btoa(text)}`, { encoded: btoa(text) }, { text })
    },
  },
  {
    tool: 'hash_text',
    draw(random) {
      const [text, algorithm, hash] = random.pick(digests)
      return known(`What is the ${algorithm} of "${text}"?`, { text, algorithm }, { hash })
    },
  },
]
