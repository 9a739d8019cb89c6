import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { mulberry32 } from '../../src/domain/random.ts'
import { keyOfName } from '../../src/domain/text/word-rules.ts'
import { wordsOf as wordsOfName } from '../../src/retrieval/effects/effect.ts'
import { isPastForm, verbStem } from '../../src/retrieval/effects/past-events.ts'
import { plainWords } from '../../src/retrieval/facts/plain-words.ts'
import { requestWords } from '../../src/retrieval/named-systems/request-words.ts'
import { queryWords } from '../../src/retrieval/query/steps/opens-clause.ts'
import { analyze, analyzeQuery } from '../../src/retrieval/text/analyze.ts'
import { sentencesOf } from '../../src/trust/scan/learned/tokens.ts'
import { wordForm } from '../../src/trust/scan/phrases/phrases.ts'
import { wordsOf } from '../../src/trust/scan/text/words.ts'
import { joinedForm, splitWords } from '../../src/vectors/embedding/split-words.ts'

/** Ranges of code points by script, and how often each is drawn: assigned since long, so that no version of Unicode changes them. */
const ranges: readonly (readonly [first: number, last: number, weight: number])[] = [
  [0x61, 0x7a, 40],
  [0x41, 0x5a, 16],
  [0x30, 0x39, 8],
  [0x20, 0x20, 14],
  [0x21, 0x2f, 10],
  [0x3a, 0x40, 4],
  [0x5b, 0x60, 4],
  [0x0a, 0x0a, 2],
  [0xa1, 0xff, 6],
  [0x100, 0x17f, 3],
  [0x250, 0x2af, 1],
  [0x300, 0x345, 4],
  [0x391, 0x3a1, 1],
  [0x3b1, 0x3c9, 2],
  [0x410, 0x44f, 6],
  [0x531, 0x556, 1],
  [0x5d0, 0x5ea, 2],
  [0x621, 0x63a, 3],
  [0x640, 0x652, 2],
  [0x670, 0x670, 1],
  [0x905, 0x939, 2],
  [0x93e, 0x94c, 2],
  [0xe01, 0xe3a, 3],
  [0xe81, 0xe82, 1],
  [0x1000, 0x1021, 2],
  [0x102d, 0x1032, 1],
  [0x1780, 0x17a2, 2],
  [0x1e00, 0x1eff, 2],
  [0x2010, 0x2027, 4],
  [0x2030, 0x205e, 2],
  [0x2070, 0x2071, 1],
  [0x20a0, 0x20b5, 1],
  [0x20d0, 0x20e3, 1],
  [0x2102, 0x2138, 2],
  [0x2150, 0x2182, 1],
  [0x2190, 0x21ff, 1],
  [0x2460, 0x24ea, 1],
  [0x2500, 0x259f, 1],
  [0x2600, 0x26ff, 2],
  [0x3005, 0x3007, 2],
  [0x3001, 0x3003, 2],
  [0x3041, 0x3096, 5],
  [0x30a1, 0x30fe, 5],
  [0x4e00, 0x9fa5, 10],
  [0xac00, 0xd7a3, 5],
  [0xd800, 0xdfff, 1],
  [0xe000, 0xe010, 1],
  [0xf900, 0xfa2d, 1],
  [0xfb00, 0xfb06, 1],
  [0xfe0e, 0xfe0f, 1],
  [0xff01, 0xff5e, 3],
  [0xff66, 0xff9d, 2],
  [0xfffd, 0xfffd, 1],
  [0x10400, 0x1044f, 1],
  [0x1d400, 0x1d454, 2],
  [0x1f1e6, 0x1f1ff, 2],
  [0x1f300, 0x1f5ff, 3],
  [0x20000, 0x2a6d6, 1],
]
const pieces =
  "getUserById HTTPServer URLs APIsFor GitHub k8s C++ F# c# $12 mp3 don't l'outil Straße İstanbul naïve GITHUB_TOKEN a/b/c x.y@z.org http://a.b '…' “quoted text” «x y» `code` Git-Hub @acme/tool 2nd 1,000 U.S. e.g. 3.14 was shipped shipping unpaid frozen отправить الأدوات 東京タワー 한국어로 ไทยแลนด์ ﬁne ǅ ΟΔΟΣ".split(
    ' ',
  )
const total = ranges.reduce((sum, [, , weight]) => sum + weight, 0)

/** Texts of every script, of words and of noise: the same on every platform. */
function* texts(count: number): Generator<string> {
  const random = mulberry32(19)
  const below = (most: number): number => Math.floor(random() * most)
  const character = (): string => {
    let left = random() * total
    const [first, last] = ranges.find(([, , weight]) => {
      left -= weight
      return left < 0
    })!
    return String.fromCodePoint(first + below(last - first + 1))
  }
  for (let at = 0; at < count; at++) {
    let text = ''
    for (let part = below(12); part >= 0; part--)
      text +=
        random() < 0.3
          ? `${pieces[below(pieces.length)]!}${random() < 0.7 ? ' ' : ''}`
          : Array.from({ length: 1 + below(12) }, character).join('')
    yield text
  }
}

/** Each way in which words are told apart, and the digest of what it makes of the texts: stored images and models rest on them. */
const views: { readonly [view: string]: readonly [view: (text: string) => unknown, digest: string] } = {
  terms: [analyze, 'b560cf5a6bcfa3b3'],
  'terms of queries': [analyzeQuery, '26e4c303e156387c'],
  'words of the embedding': [(text) => [splitWords(text), joinedForm(splitWords(text))], 'b6ccb7ae8fe802e3'],
  'words of the scan': [wordsOf, '534788b32bf954a0'],
  'tokens of the scan': [(text) => sentencesOf(text, wordsOf(text)), '6d23b426b1bd3b9b'],
  'forms of phrases': [
    (text) => [wordForm(text), ...wordsOf(text).written.map(wordForm)],
    'e4788fb2edfff217',
  ],
  'words of requests': [requestWords, '40f88836e73143ee'],
  'keys of names': [keyOfName, 'a0f5a851c2ff66af'],
  'words of steps': [queryWords, 'e474714e24ef11ab'],
  'plain words': [plainWords, '53a8e72a28fa6349'],
  'words of identifiers': [wordsOfName, '29e63fd1be52baaf'],
  'stems of verbs': [
    (text) => wordsOfName(text).map((word) => [verbStem(word), isPastForm(word)]),
    '526a8371bdbde8f2',
  ],
}

test.each(Object.entries(views))('%s are what they were', (_, [view, digest]) => {
  const hash = createHash('sha256')
  for (const text of texts(5_000)) hash.update(JSON.stringify(view(text)))
  expect(hash.digest('hex').slice(0, 16)).toBe(digest)
})
