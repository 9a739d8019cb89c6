import type { SeededRandom } from '../../../src/evaluation/statistics/seeded-random.ts'
import { oneOf, onceIn } from './pick.ts'

/** Texts that break what was not written with them in mind. None holds a secret or a path of the machine under test. */
const strangeTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\n\r\t\u0000\u001b[31mred\u0007',
  '\ud800',
  '\udfff tail',
  'a\ud83dz',
  '\u202eevil\u202c \u200b\u2066x\u2069',
  '👩‍👩‍👧‍👦'.repeat(40),
  'a\u0301'.repeat(400),
  'ﷺ'.repeat(300),
  '../../../../../../etc/passwd',
  '..\\..\\..\\windows\\win.ini',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%c0%af..%c0%afetc/passwd',
  'file:///etc/passwd',
  'file:///proc/self/environ',
  '/proc/self/cmdline',
  'http://169.254.169.254/latest/meta-data/',
  "'; DROP TABLE tools; --",
  "' OR 1=1 --",
  '" OR "" = "',
  '$(id) `id` ; id | id && id',
  '$\u007b7*7} {{7*7}} #{7*7} <%= 7*7 %>',
  '<script>alert(1)</script>',
  '(((((((((((((((((((((((((((((((((a+)+)+)+)+)+)+)+)+$',
  '*'.repeat(200),
  '"unbalanced \'quotes` and (brackets [{<',
  'AND OR NOT NEAR + - ~ ^ : "a b"~2 field:value',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'NaN',
  'undefined',
  'null',
  '%',
  '%zz%',
  '/'.repeat(300),
  'x'.repeat(600),
]

/** Numbers at the ends of what a number can be, as JSON writes them; some are no number of JavaScript's. */
const strangeNumbers: readonly number[] = [
  0,
  -0,
  -1,
  1.5,
  1e21,
  -1e21,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  Number.MIN_SAFE_INTEGER - 1,
  Number.MAX_VALUE,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
]

/** A text nobody asks for; once in a while a very long one. */
export function strangeText(random: SeededRandom): string {
  if (onceIn(random, 60)) return oneOf(random, ['word ', 'x', '漢', '\u0000', '(', '\\']).repeat(20_000)
  if (onceIn(random, 4)) {
    return Array.from({ length: 1 + random.below(24) }, () =>
      String.fromCharCode(random.below(0x10000)),
    ).join('')
  }
  return onceIn(random, 5)
    ? oneOf(random, strangeTexts) + oneOf(random, strangeTexts)
    : oneOf(random, strangeTexts)
}

/** Objects with keys that reach for prototypes. They are made by parsing, so that the keys are own ones. */
const strangeObjects: readonly string[] = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"__proto__":null,"toString":1,"valueOf":"x"}',
  '{"length":-1,"0":"a"}',
  '{"then":"a promise?"}',
  '{"toJSON":"x"}',
  '{"$ref":"#/definitions/x"}',
]

/** Any value that JSON can say. */
export function strangeValue(random: SeededRandom, depth = 0): unknown {
  const kinds = depth > 3 ? 5 : 9
  switch (random.below(kinds)) {
    case 0:
      return null
    case 1:
      return onceIn(random, 2)
    case 2:
      return oneOf(random, strangeNumbers)
    case 3:
      return strangeText(random)
    case 4:
      return JSON.parse(oneOf(random, strangeObjects))
    case 5:
      return nested(random, 20 + random.below(onceIn(random, 20) ? 20_000 : 200))
    case 6:
      return Array.from({ length: random.below(onceIn(random, 30) ? 5_000 : 5) }, () =>
        strangeValue(random, depth + 2),
      )
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(5) }, () => [strangeText(random), strangeValue(random, depth + 1)]),
      )
  }
}

/** Lists in lists, or objects in objects, so many deep: made by parsing, since that does not recurse. */
function nested(random: SeededRandom, depth: number): unknown {
  return onceIn(random, 2)
    ? JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
    : JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
}

/** JSON of a value, as deep as it may be; lone surrogates stay as they are in the bytes of half of all messages. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return 'null' // too deep to be written
  }
}
