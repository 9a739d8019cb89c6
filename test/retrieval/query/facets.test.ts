import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyzeQuery } from '../../../src/retrieval/text/analyze.ts'
import { shownStep, splitRequest } from '../../../src/retrieval/query/facets.ts'
import { anyText } from '../arbitrary-text.ts'
import {
  requestsAfterWaysAndStories,
  requestsOfOneStep,
  requestsOfOneStepInStories,
  requestsOfSeveralSteps,
} from '../steps/requests.ts'

test.each([
  ['and take a screenshot', 'take a screenshot'],
  ['open the page,', 'open the page'],
  ['Also, then find a museum in Paris.', 'find a museum in Paris.'],
  ['next Friday at noon', 'next Friday at noon'],
  ['sandwich and soup', 'sandwich and soup'],
  ['and', 'and'],
])('a step is shown without what joins it: %j', (step, shown) => {
  expect(shownStep(step)).toBe(shown)
})

test.each(['give me the prices of: 1. apples 2. pears', 'find the report - monthly - of the sales team'])(
  'a list of things is none of steps: %j',
  (query) => {
    expect(splitRequest(query).steps).toHaveLength(1)
  },
)

const facetsOf = (query: string): readonly string[] => splitRequest(query).steps

describe('splitRequest', () => {
  test.each([...requestsOfSeveralSteps, ...requestsAfterWaysAndStories])('splits "%s"', (marked) => {
    const steps = marked.split(' | ')
    expect(facetsOf(steps.join(' '))).toEqual(steps)
  })

  test.each([...requestsOfOneStep, ...requestsOfOneStepInStories])('leaves "%s" whole', (query) => {
    expect(facetsOf(query)).toEqual([query])
  })

  test.each([
    {
      why: 'a numbered list',
      query: '1. read the file 2. count the words 3) send mail',
      facets: ['read the file', 'count the words', 'send mail'],
    },
    {
      why: 'a numbered list on one line, with verbs that no list knows',
      query: '1. split the pdf 2. watermark each part 3. merge them',
      facets: ['split the pdf', 'watermark each part', 'merge them'],
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
      why: 'Chinese sentences',
      query: '查询北京的天气。发送电子邮件',
      facets: ['查询北京的天气。', '发送电子邮件'],
    },
    {
      why: 'Arabic questions',
      query: 'ما هو الطقس في روما؟ أرسل رسالة إلى أحمد',
      facets: ['ما هو الطقس في روما؟', 'أرسل رسالة إلى أحمد'],
    },
  ])('splits at $why', ({ query, facets }) => {
    expect(facetsOf(query)).toEqual(facets)
  })

  test.each([
    {
      why: 'what asks for nothing goes with the request before it',
      query: 'I need a plan for my trip. My budget is 500 euros. Also, find a museum in Paris.',
      facets: ['I need a plan for my trip. My budget is 500 euros.', 'Also, find a museum in Paris.'],
    },
    {
      why: 'what leads up to the first request goes with it',
      query: 'We moved to Oslo last week. Find a school for the kids. Book a moving van.',
      facets: ['We moved to Oslo last week. Find a school for the kids.', 'Book a moving van.'],
    },
    {
      why: 'a step of one word joins the next',
      query: 'Urgent. Restart the web server. Notify the whole team.',
      facets: ['Urgent. Restart the web server.', 'Notify the whole team.'],
    },
    {
      why: 'a last step of one word joins the one before',
      query: 'Restart the web server. Notify the whole team. Thanks.',
      facets: ['Restart the web server.', 'Notify the whole team. Thanks.'],
    },
    {
      why: 'the half of a day ends no sentence by itself',
      query: 'Move the alarm from 8 a.m. to 7 a.m. on Friday. Book a taxi for 6 p.m. Send me the bill.',
      facets: [
        'Move the alarm from 8 a.m. to 7 a.m. on Friday.',
        'Book a taxi for 6 p.m.',
        'Send me the bill.',
      ],
    },
    {
      why: 'a title ends no sentence',
      query: 'Write to Dr. Miller about the scan. Book a visit for Monday.',
      facets: ['Write to Dr. Miller about the scan.', 'Book a visit for Monday.'],
    },
  ])('$why', ({ query, facets }) => {
    expect(facetsOf(query)).toEqual(facets)
  })

  test.each([
    { why: 'one half would match anything', query: 'Weather. And tell me more.' },
    {
      why: 'a story asks for nothing',
      query: Array.from({ length: 9 }, (_, day) => `On day ${day} it rained in the valley.`).join(' '),
    },
    {
      why: 'a long text in another language is not read',
      query: '今天下雨了。我们在家里。孩子们睡着了。猫在窗边。晚饭很晚。',
    },
  ])('leaves "$query" whole: $why', ({ query }) => {
    expect(facetsOf(query)).toEqual([query])
  })

  test.each([
    { why: 'one step', query: 'book a table for next Friday', asked: [] },
    {
      why: 'two steps',
      query: 'translate the letter and then print the envelope',
      asked: ['translate the letter', 'and then print the envelope'],
    },
    {
      why: 'a step after a story',
      query: 'We moved to Oslo last week and everything is new. Find a school for the kids.',
      asked: ['Find a school for the kids.'],
    },
    {
      why: 'steps after a story',
      query: 'We moved to Oslo last week. Find a school for the kids. Book a moving van.',
      asked: ['Find a school for the kids.', 'Book a moving van.'],
    },
    {
      why: 'a step before what is told of it',
      query: 'Find a school for the kids. Our flat is near the harbour, and the older one plays the cello.',
      asked: ['Find a school for the kids.'],
    },
    {
      why: 'a word is no story',
      query: 'Urgent! Restart the web server.',
      asked: [],
    },
  ])('looks for what is asked: $why', ({ query, asked }) => {
    expect(splitRequest(query).asked).toEqual(asked)
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

  const words = fc.constantFrom(
    'find',
    'the',
    'report',
    'and',
    'then',
    ',',
    'next',
    'Friday',
    'send',
    'it',
    'to',
    'Ann',
    'also',
    'after',
    'that',
    'book',
    'a',
    'table',
    '.',
    'finally',
    '"open',
    'door"',
    'which',
    'is',
    'I',
    'need',
    'tweet',
    'as',
    'well',
    '?',
  )
  const request = fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' '))

  test('the steps say every word of a request, in its order', () => {
    const bare = (text: string): string => text.replace(/\s/g, '')
    fc.assert(
      fc.property(request, (query) => {
        expect(bare(facetsOf(query).join(''))).toBe(bare(query))
      }),
      { numRuns: 500 },
    )
  })

  test('any text gives one to eight steps of two terms or more, always the same', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, request), (query) => {
        const facets = facetsOf(query)
        expect(facets.length).toBeGreaterThanOrEqual(1)
        expect(facets.length).toBeLessThanOrEqual(8)
        const asked = new Set(analyzeQuery(query).map(({ term }) => term))
        for (const facet of facets) {
          const terms = analyzeQuery(facet).map(({ term }) => term)
          // An item of a list may be one word.
          const least = /[-*•\d]/.test(query) ? 1 : 2
          if (facets.length > 1) expect(terms.length).toBeGreaterThanOrEqual(least)
          else expect(new Set(terms)).toEqual(asked)
        }
        expect(facetsOf(query)).toEqual(facets)
      }),
      { numRuns: 300 },
    )
  })

  test('a text that is pasted behind a request makes no steps', () => {
    const pasted = `Summarise this: ${'open the door. paint the wall. '.repeat(700)}`
    expect(splitRequest(pasted)).toEqual({
      steps: [pasted.trim()],
      asked: [],
      perhaps: [],
      story: 0,
      beyond: 0,
    })
  })

  test.each([
    ['commas', 'a, get it '],
    ['open quotes', '" a “ b '],
    ['joining words', 'and then to '],
    ['clauses about nouns', 'things that are good and '],
    ['markers', '- '],
  ])('the longest query of %s alone takes little time', (_, part) => {
    const query = part.repeat(8000 / part.length)
    facetsOf(query)
    const started = process.cpuUsage()
    facetsOf(query)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(1000)
  })
})
