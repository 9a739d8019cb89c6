import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countWords } from '../../catalog/servers/text/count-words.ts'
import { readCsv, type Table, writeCsv } from '../../catalog/servers/text/csv.ts'
import { diffLines } from '../../catalog/servers/text/diff-lines.ts'
import { decodeBase64, encodeBase64 } from '../../catalog/servers/text/encodings.ts'
import { extractEmails, extractNumbers, extractUrls } from '../../catalog/servers/text/extract.ts'
import { mergeJson, validateJson, valueAt } from '../../catalog/servers/text/json-documents.ts'
import { changeCase, slugify } from '../../catalog/servers/text/letter-case.ts'
import { dedupeLines, linesOf, sortLines } from '../../catalog/servers/text/lines.ts'
import { findMatches, replacePattern } from '../../catalog/servers/text/patterns.ts'
import { filterTable, groupTable, numberIn, sortTable } from '../../catalog/servers/text/query-table.ts'
import { summarizeColumn } from '../../catalog/servers/text/summarize-column.ts'
import { objectsToTable, rowsToObjects } from '../../catalog/servers/text/table-json.ts'

const awkward = fc.string({
  unit: fc.constantFrom('a', 'Z', '1', ' ', ',', ';', '"', '\n', '\r\n', 'é', "'", '-', ']', '^'),
})
const table: fc.Arbitrary<Table> = fc
  .uniqueArray(fc.stringMatching(/^[a-z][a-z0-9 ]{0,6}[a-z0-9]$/), { minLength: 1, maxLength: 4 })
  .chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(fc.array(awkward, { minLength: columns.length, maxLength: columns.length }), {
        maxLength: 6,
      }),
    }),
  )

describe('CSV', () => {
  test('what is written is read again, whatever the cells and the delimiter', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t', '|', '-', '^'), (written, delimiter) => {
        fc.pre(!written.columns.some((column) => column.includes(delimiter)))
        expect(readCsv(writeCsv(written, delimiter), delimiter)).toEqual(written)
      }),
      { numRuns: 500 },
    )
  })

  test('CSV to JSON and back gives the same table', () => {
    fc.assert(
      fc.property(table, (written) => {
        fc.pre(written.rows.length > 0)
        const csv = writeCsv(written, ',')
        const objects = rowsToObjects(readCsv(csv, ','), 'text')
        expect(writeCsv(objectsToTable(JSON.parse(JSON.stringify(objects))), ',')).toBe(csv)
      }),
    )
  })

  test.each([
    { why: 'byte order marks are dropped', csv: '\uFEFFa\n1', columns: ['a'], rows: [['1']] },
    { why: 'blank lines are skipped', csv: 'a\n\n1\n\n', columns: ['a'], rows: [['1']] },
    { why: 'Windows line ends are read', csv: 'a,b\r\n1,2\r\n', columns: ['a', 'b'], rows: [['1', '2']] },
    { why: 'quotes inside a cell stay', csv: 'a\nsize 5"', columns: ['a'], rows: [['size 5"']] },
    { why: 'a last empty cell counts', csv: 'a,b\n1,', columns: ['a', 'b'], rows: [['1', '']] },
    { why: 'a quoted empty cell is a row', csv: 'a\n""', columns: ['a'], rows: [['']] },
  ])('$why', ({ csv, columns, rows }) => {
    expect(readCsv(csv, ',')).toEqual({ columns, rows })
  })

  test('typed cells keep codes with leading zeros as text', () => {
    const read = rowsToObjects(readCsv('a,b,c,d,e\n007,7,-1.5,true,', ','), 'typed')
    expect(read).toEqual([{ a: '007', b: 7, c: -1.5, d: true, e: null }])
  })

  test('a field named __proto__ is a field like others', () => {
    expect(Object.keys(rowsToObjects(readCsv('__proto__\n1', ','), 'text')[0]!)).toEqual(['__proto__'])
    expect(JSON.stringify(mergeJson({ a: 1 }, JSON.parse('{"__proto__": {"b": 2}}')))).toBe(
      '{"a":1,"__proto__":{"b":2}}',
    )
  })
})

describe('tables', () => {
  const staff = readCsv('name,team,pay\nAda,red,"1,200"\nBob,blue,900\nCleo,red,\nDan,red,950', ',')
  const names = ({ rows }: Table) => rows.map(([name]) => name)

  test.each([
    ['pay', 'greater', '1000', ['Ada']],
    ['pay', 'lessOrEqual', '950', ['Bob', 'Dan']],
    ['pay', 'isEmpty', '', ['Cleo']],
    ['team', 'notEquals', 'RED', ['Bob']],
    ['name', 'startsWith', 'd', ['Dan']],
    ['name', 'greaterOrEqual', 'cleo', ['Cleo', 'Dan']],
  ] as const)('where %s %s "%s": %j', (column, operator, value, expected) => {
    expect(names(filterTable(staff, column, operator, value))).toEqual(expected)
  })

  test('a filter and its opposite part the rows between them', () => {
    fc.assert(
      fc.property(table, awkward, (any, value) => {
        const column = any.columns[0]!
        const kept = filterTable(any, column, 'contains', value).rows.length
        const equal = filterTable(any, column, 'equals', value).rows.length
        const other = filterTable(any, column, 'notEquals', value).rows.length
        expect(equal + other).toBe(any.rows.length)
        expect(kept).toBeLessThanOrEqual(any.rows.length)
      }),
    )
  })

  test('sorting by number puts empty cells last in both directions', () => {
    expect(names(sortTable(staff, 'pay', 'number', 'ascending'))).toEqual(['Bob', 'Dan', 'Ada', 'Cleo'])
    expect(names(sortTable(staff, 'pay', 'number', 'descending'))).toEqual(['Ada', 'Dan', 'Bob', 'Cleo'])
  })

  test('groups hold every row once, and cells without numbers do not count', () => {
    expect(groupTable(staff, 'team', 'average', 'pay')).toEqual([
      { group: 'red', rows: 3, value: 1075 },
      { group: 'blue', rows: 1, value: 900 },
    ])
    expect(summarizeColumn(staff, 'pay')).toMatchObject({ rows: 4, empty: 1, numeric: { sum: 3050 } })
    expect(summarizeColumn(staff, 'name').numeric).toBeNull()
  })

  test.each([
    ['1,234.50', 1234.5],
    ['-€3', -3],
    ['12%', 12],
    ['1e3', 1000],
    ['1,23', null],
    ['n/a', null],
    ['', null],
  ])('the cell "%s" is %s', (cell, expected) => {
    expect(numberIn(cell)).toBe(expected)
  })
})

describe('lines', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 })

  test('a comparison holds both texts, and nothing that could stay is moved', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = diffLines(before, after)
        const side = (left: 'added' | 'removed') =>
          changes.filter(({ change }) => change !== left).map(({ text }) => text)
        expect(side('added')).toEqual(before)
        expect(side('removed')).toEqual(after)
        expect(changes.filter(({ change }) => change === 'same')).toHaveLength(longestCommon(before, after))
      }),
    )
  })

  test('thousands of changed lines on both sides are refused, in one place they are not', () => {
    const many = Array.from({ length: 4000 }, (_, index) => `line ${index}`)
    expect(() =>
      diffLines(
        many,
        many.map((line) => `${line}!`),
      ),
    ).toThrow('at most 3000 lines')
    expect(diffLines(many, [...many, 'new']).filter(({ change }) => change === 'added')).toHaveLength(1)
  })

  test('sorting keeps all lines, and dropping duplicates keeps the first of each', () => {
    fc.assert(
      fc.property(lines, (given) => {
        const sorted = sortLines(given, 'alphabetical', 'ascending')
        expect([...sorted].sort()).toEqual([...given].sort())
        expect([...sortLines(given, 'alphabetical', 'descending')].reverse().sort()).toEqual(
          [...sorted].sort(),
        )
        expect(dedupeLines(given, 'exactly')).toEqual([...new Set(given)])
      }),
    )
    expect(linesOf('a\r\nb\n')).toEqual(['a', 'b'])
    expect(sortLines(['x', 'b 2', 'a 10'], 'numeric', 'descending')).toEqual(['a 10', 'b 2', 'x'])
  })
})

describe('patterns', () => {
  test('runaway patterns are stopped in both tools', () => {
    const text = `${'a'.repeat(60)}b`
    expect(() => findMatches(text, '(a+)+$', '')).toThrow('nested repeats')
    expect(() => replacePattern(text, '(a|aa)+$', '', '')).toThrow('nested repeats')
  })

  test('text and replacement are data, whatever they look like', () => {
    const evil = `\`\${process.exit(1)}\`\u2028");process.exit(1)//`
    expect(replacePattern(evil, 'process', '', `$&-$1-\`\${x}\``).replaced).toBe(2)
    expect(findMatches(evil, 'exit', '')).toHaveLength(2)
    expect(() => findMatches('a', 'this.constructor.constructor("return process")()', '')).not.toThrow()
  })

  test('named groups and empty matches work', () => {
    expect(replacePattern('ab', '(?<x>a)', '', '[$<x>]')).toEqual({ text: '[a]b', replaced: 1 })
    expect(findMatches('ab', '', '')).toHaveLength(3)
    expect(findMatches('a', '(b)?a', '')[0]?.groups).toEqual([null])
  })
})

describe('JSON', () => {
  test('every JSON text is valid, and every value is found by its pointer', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, key) => {
        expect(validateJson(JSON.stringify(value)).valid).toBe(true)
        const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}/1`
        const document = JSON.parse(JSON.stringify({ [key]: [null, value] }))
        expect(JSON.stringify(valueAt(document, pointer))).toBe(JSON.stringify(value))
      }),
    )
  })

  test('a fault is found at or before the place where a good text was cut or damaged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, at) => {
        const good = JSON.stringify({ value })
        const cut = good.slice(0, at % good.length)
        const check = validateJson(cut)
        expect(check).toMatchObject({ valid: false, line: 1 })
        if (!check.valid) expect(check.column).toBeLessThanOrEqual(cut.length + 1)
      }),
    )
  })

  test.each([
    ['{"a": 1,}', 1, 9],
    ['[1 2]', 1, 4],
    ['{a: 1}', 1, 2],
    ['{"a": 01}', 1, 7],
    ['[1]\n]', 2, 1],
    ['{"a": tru}', 1, 7],
    ['// x\n1', 1, 1],
    ['', 1, 1],
    ['"a\nb"', 1, 1],
  ])('%j breaks at line %i, column %i', (text, line, column) => {
    expect(validateJson(text)).toMatchObject({ valid: false, line, column })
  })

  test.each([
    { document: { a: 'b' }, patch: { a: 'c' }, merged: { a: 'c' } },
    { document: { a: 'b', b: 1 }, patch: { a: null }, merged: { b: 1 } },
    { document: { a: ['b'] }, patch: { a: 'c' }, merged: { a: 'c' } },
    { document: { a: [1] }, patch: { a: [2] }, merged: { a: [2] } },
    { document: ['a'], patch: { b: { c: null } }, merged: { b: {} } },
    { document: { e: null }, patch: { a: 1 }, merged: { e: null, a: 1 } },
    { document: { a: 1 }, patch: 'x', merged: 'x' },
  ])('$patch over $document gives $merged (RFC 7396)', ({ document, patch, merged }) => {
    expect(mergeJson(document, patch)).toEqual(merged)
  })
})

test('Base64 comes back as it went, in both alphabets', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('standard' as const, 'url' as const),
      (text, alphabet) => {
        expect(decodeBase64(encodeBase64(text, alphabet))).toBe(text)
      },
    ),
  )
})

test('a slug holds only what an address may hold, and is its own slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, most) => {
      const slug = slugify(text, most)
      expect(slug).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/)
      expect(slug.length).toBeLessThanOrEqual(most)
      expect(slugify(slug, most)).toBe(slug)
    }),
  )
})

test.each([
  ['camel', 'Foo-bar baz', 'fooBarBaz'],
  ['pascal', 'user_id 2', 'UserId2'],
  ['kebab', 'XMLHttpRequest', 'xml-http-request'],
  ['constant', "don't panic", 'DONT_PANIC'],
  ['title', "o'neil's HOUSE", "O'neil's House"],
  ['sentence', 'HELLO. it IS me', 'Hello. It is me'],
] as const)('%s case of "%s" is "%s"', (to, text, expected) => {
  expect(changeCase(text, to)).toBe(expected)
})

test.each([
  { text: '', words: 0, lines: 0, sentences: 0 },
  { text: 'Hello world', words: 2, lines: 1, sentences: 1 },
  { text: 'naïve café\n', words: 2, lines: 1, sentences: 1 },
  { text: 'One. Two! Three?', words: 3, lines: 1, sentences: 3 },
])('"$text" has $words words, $lines lines, $sentences sentences', ({ text, ...size }) => {
  expect(countWords(text)).toMatchObject(size)
})

test('extraction finds what is there and nothing else', () => {
  expect(extractEmails('a@b.co x@y, @z.org, first.last+tag@sub.example.travel>')).toEqual([
    'a@b.co',
    'first.last+tag@sub.example.travel',
  ])
  expect(extractUrls('ftp://x.org https://a.b/c?d=e&f#g, "http://h.i"')).toEqual([
    'https://a.b/c?d=e&f#g',
    'http://h.i',
  ])
  expect(extractNumbers('v1.2.3 costs 1,000 or 12.5; A4, 3')).toEqual([1000, 12.5, 3])
})

/** The plain definition, as an oracle. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const left of a) {
    const next = [0]
    for (const [j, right] of b.entries()) {
      next.push(left === right ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!))
    }
    row = next
  }
  return row[b.length]!
}
