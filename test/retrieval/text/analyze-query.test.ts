import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyze, analyzeQuery, functionWords, requestWords } from '../../../src/retrieval/text/analyze.ts'
import { anyText } from '../arbitrary-text.ts'

const termsOf = (query: string): string[] => analyzeQuery(query).map(({ term }) => term)
const wordsOf = (query: string): string[] => [...new Set(analyzeQuery(query).map(({ word }) => word))]

describe('analyzeQuery', () => {
  test.each([
    { why: 'repeats say nothing more', query: 'file, files, FILE', terms: 'file' },
    { why: 'order is that of the query', query: 'weather in Rome tomorrow', terms: 'weather rome tomorrow' },
    { why: 'request words go', query: 'please help me find some weather', terms: 'weather' },
    { why: 'request words go inside a name, too', query: 'getUserById', terms: 'user id' },
    { why: 'nothing but request words is taken at its word', query: 'find help', terms: 'find help' },
    { why: 'forms of request words are request words', query: 'using weather', terms: 'weather' },
    { why: 'a bigram stands for its characters', query: '天气预报', terms: '天气 气预 预报' },
    { why: 'a character alone is looked for', query: '图 weather', terms: '图 weather' },
    { why: 'languages mix', query: '查询 GitHub issues', terms: '查询 git hub github issu' },
    {
      why: 'languages mix without spaces',
      query: '查询GitHub的issues',
      terms: '查询 git hub github 的 issu',
    },
    { why: 'a Korean particle does not hide its word', query: '날씨를', terms: '날씨 씨를' },
    { why: 'emoji ask for themselves', query: '🚀 deploy', terms: '🚀 deploi' },
  ])('$query gives "$terms": $why', ({ query, terms }) => {
    expect(termsOf(query)).toEqual(terms.split(' '))
  })

  test.each(['', ' \n', '?!', 'what is the', '\u0000', '\ud800\udc00'.slice(0, 1)])(
    '%j asks for nothing',
    (query) => {
      expect(analyzeQuery(query)).toEqual([])
    },
  )

  test.each([
    {
      why: 'as the asker wrote them',
      query: 'Translates GitHub ISSUES',
      words: ['Translates', 'GitHub', 'ISSUES'],
    },
    { why: 'with their accents', query: 'un café à Montréal', words: ['un', 'café', 'Montréal'] },
    { why: 'the first spelling wins', query: 'Files file', words: ['Files'] },
    {
      why: 'a part of a Chinese sentence, not all of it',
      query: '查询天气',
      words: ['查询', '询天', '天气'],
    },
    { why: 'of two scripts apart', query: '查询GitHub', words: ['查询', 'GitHub'] },
    { why: 'apart at full-width punctuation', query: 'GitHub，GitLab', words: ['GitHub', 'GitLab'] },
    { why: 'each emoji', query: '👩‍💻deploy', words: ['👩', '💻', 'deploy'] },
  ])('tells the words $why', ({ query, words }) => {
    expect(wordsOf(query)).toEqual(words)
  })

  test('every request word alone is looked for', () => {
    for (const word of requestWords) expect(termsOf(word)).toHaveLength(1)
  })

  test('no word is both a function word and a request word', () => {
    expect([...requestWords].filter((word) => functionWords.has(word))).toEqual([])
  })

  test('terms are distinct, stand in the text as cards are read, and come the same each time', () => {
    fc.assert(
      fc.property(anyText, (query) => {
        const asked = analyzeQuery(query)
        const terms = asked.map(({ term }) => term)
        expect(new Set(terms).size).toBe(terms.length)
        expect(analyze(query)).toEqual(expect.arrayContaining(terms))
        expect(analyzeQuery(query)).toEqual(asked)
      }),
      { numRuns: 400 },
    )
  })

  test('a text that has terms asks for something', () => {
    fc.assert(
      fc.property(anyText, (query) => {
        expect(analyzeQuery(query).length > 0).toBe(analyze(query).length > 0)
      }),
      { numRuns: 400 },
    )
  })
})
