import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyzeQuery } from '../../src/retrieval/analyze.ts'
import { facetsOf } from '../../src/retrieval/facets.ts'
import { anyText } from './arbitrary-text.ts'

describe('facetsOf', () => {
  test.each([
    {
      why: 'sentences',
      query: 'Summarise the attached report. Email the summary to Ann!',
      facets: ['Summarise the attached report.', 'Email the summary to Ann!'],
    },
    {
      why: '"and then"',
      query: 'translate the letter and then print the envelope',
      facets: ['translate the letter', 'print the envelope'],
    },
    {
      why: '"after that", "finally"',
      query: 'Resize the pictures, after that upload the album, finally tweet the link',
      facets: ['Resize the pictures', 'upload the album', 'tweet the link'],
    },
    {
      why: 'a numbered list',
      query: '1. read the file 2. count the words 3) send mail',
      facets: ['read the file', 'count the words', 'send mail'],
    },
    {
      why: 'bullets on lines',
      query: '- book a flight\n- rent a car\n* reserve a hotel room',
      facets: ['book a flight', 'rent a car', 'reserve a hotel room'],
    },
    {
      why: 'numbers on lines, after sentences and blank lines',
      query: '1. Read the file.\n2. Count the words.\n\n3. Send a mail.',
      facets: ['Read the file.', 'Count the words.', 'Send a mail.'],
    },
    {
      why: 'semicolons',
      query: 'merge branch main; deploy to staging',
      facets: ['merge branch main', 'deploy to staging'],
    },
    {
      why: 'a comma with "and"',
      query: 'check the weather in Rome, and book a table',
      facets: ['check the weather in Rome', 'book a table'],
    },
    {
      why: 'Chinese sentences',
      query: '查询北京的天气。发送电子邮件',
      facets: ['查询北京的天气', '发送电子邮件'],
    },
    {
      why: 'Arabic questions',
      query: 'ما هو الطقس في روما؟ أرسل رسالة إلى أحمد',
      facets: ['ما هو الطقس في روما', 'أرسل رسالة إلى أحمد'],
    },
  ])('splits at $why', ({ query, facets }) => {
    expect(facetsOf(query)).toEqual(facets)
  })

  test.each([
    { why: 'it is one', query: 'review a lease' },
    { why: 'a decimal point ends no sentence', query: 'convert 3.5 miles to kilometres' },
    { why: 'a name with a dot is one', query: 'deploy the Node.js service' },
    { why: 'a bare "and" joins what belongs together', query: 'compare prices and ratings of phones' },
    { why: 'a hyphen inside a word marks no item', query: 'check-in for a non-stop flight' },
    { why: 'one half would match anything', query: 'Weather. And tell me more.' },
    { why: 'words only hold the marker', query: 'strengthen authentication' },
  ])('leaves "$query" whole: $why', ({ query }) => {
    expect(facetsOf(query)).toEqual([query])
  })

  test('a step of one word joins the next', () => {
    expect(facetsOf('Urgent. Restart the web server. Notify the whole team.')).toEqual([
      'Urgent. Restart the web server.',
      'Notify the whole team.',
    ])
  })

  test('a last step of one word joins the one before', () => {
    expect(facetsOf('Restart the web server. Notify the whole team. Thanks.')).toEqual([
      'Restart the web server.',
      'Notify the whole team. Thanks.',
    ])
  })

  test('from the eighth step on, all is one', () => {
    const steps = Array.from({ length: 11 }, (_, place) => `open door${place}`)
    const facets = facetsOf(steps.join('\n'))
    expect(facets.slice(0, 7)).toEqual(steps.slice(0, 7))
    expect(facets.slice(7)).toEqual([steps.slice(7).join(' ')])
  })

  test.each(['', '  \n ', '...', '1. 2. 3.'])('a query without words, %j, is its own only step', (query) => {
    expect(facetsOf(query)).toEqual([query.trim()])
  })

  test('any text gives one to eight steps that say what it says, each two terms or more', () => {
    fc.assert(
      fc.property(anyText, (query) => {
        const facets = facetsOf(query)
        expect(facets.length).toBeGreaterThanOrEqual(1)
        expect(facets.length).toBeLessThanOrEqual(8)
        const asked = new Set(analyzeQuery(query).map(({ term }) => term))
        for (const facet of facets) {
          const terms = analyzeQuery(facet).map(({ term }) => term)
          if (facets.length > 1) expect(terms.length).toBeGreaterThanOrEqual(2)
          else expect(new Set(terms)).toEqual(asked)
        }
        expect(facetsOf(query)).toEqual(facets)
      }),
      { numRuns: 300 },
    )
  })
})
