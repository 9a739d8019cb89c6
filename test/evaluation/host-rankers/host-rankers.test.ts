import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aiSdk, bm25 } from '../../../src/evaluation/host-rankers/word-rankers.ts'
import { claudeCode } from '../../../src/evaluation/host-rankers/claude-code.ts'
import type { HostRanker, SearchedTool } from '../../../src/evaluation/host-rankers/host-ranker.ts'
import { hostRankers } from '../../../src/evaluation/host-rankers/host-rankers.ts'
import type { Audition } from '../../../src/compose/audition.ts'
import { openAudition } from '../../../src/compose/app.ts'
import { configFrom } from '../../../src/config.ts'

/** Scores by name, best first. */
async function scoresOf(ranker: HostRanker, tools: readonly SearchedTool[], query: string) {
  const found = await ranker.over(tools)(query)
  return found.map(({ index, score }) => [tools[index]!.name, Number(score.toFixed(4))])
}

describe('Claude Code', () => {
  const words = 'waa wbb wcc wdd wee wff wgg whh wii wjj wkk wll wmm wnn'.split(' ')
  /** Tools as they were given to Claude Code 2.1.332: `qax` has one word of the query in its description, `qnx` 14. */
  const seen: readonly SearchedTool[] = [
    ...words.map((_, index) => ({
      name: `q${String.fromCharCode(97 + index)}x`,
      description: words.slice(0, index + 1).join(' '),
    })),
    { name: 'alpha_one', description: 'nothing' },
    { name: 'alphabet_two', description: 'nothing' },
    { name: 'alpha', description: 'nothing' },
    { name: 'hinted', description: 'nothing', searchHint: 'alpha stuff' },
    { name: 'hintanddesc', description: words.slice(0, 9).join(' '), searchHint: 'alpha stuff' },
    { name: 'described', description: 'alpha stuff' },
    { name: 'plural', description: 'alphas stuff' },
    { name: 'hy-alpha', description: 'nothing' },
    { name: 'camelAlphaCase', description: 'nothing' },
    { name: 'dot.alpha', description: 'nothing' },
    { name: 'longone', description: `${'x '.repeat(1030)} alpha zulu` },
  ].map((tool) => ({ ...tool, server: 'serve_r' }))

  test.each([
    {
      query: 'find alpha',
      order:
        'alpha alpha_one dot.alpha alphabet_two camelAlphaCase hy-alpha hintanddesc hinted described longone',
    },
    {
      query: `alpha ${words.join(' ')}`,
      order:
        'qnx qmx alpha qlx hintanddesc qkx qjx qix alpha_one dot.alpha qhx qgx qfx alphabet_two camelAlphaCase hy-alpha qex qdx qcx hinted qbx described longone qax',
    },
    { query: 'alpha?', order: '' },
    {
      query: '+alpha waa',
      order:
        'alpha alpha_one dot.alpha alphabet_two camelAlphaCase hy-alpha hintanddesc hinted described longone',
    },
    {
      query: 'hy alpha',
      order:
        'alpha hy-alpha alpha_one dot.alpha alphabet_two camelAlphaCase hintanddesc hinted described longone',
    },
    {
      query: 'alpha_one waa',
      order: 'alpha_one hintanddesc qax qbx qcx qdx qex qfx qgx qhx qix qjx qkx qlx qmx qnx',
    },
  ])('orders tools for "$query" as the program does', async ({ query, order }) => {
    const found = await claudeCode.over(seen)(query)
    expect(found.map(({ index }) => seen[index]!.name).join(' ')).toBe(order)
  })

  const tools: readonly SearchedTool[] = [
    { server: 'github', name: 'create_issue', description: 'Open a bug report.' },
    { server: 'github', name: 'list_issues', description: 'Show issues.', searchHint: 'bug tracker' },
    { server: 'mail', name: 'send', description: 'Send mail; create a draft first.' },
  ]
  test.each([
    {
      why: 'a part of the name and within the whole',
      query: 'create',
      expected: [
        ['create_issue', 16],
        ['send', 2],
      ],
    },
    { why: 'the whole name of a server is a part too', query: 'mail', expected: [['send', 26]] },
    {
      why: 'within a part, and the description by its whole word',
      query: 'issues',
      expected: [['list_issues', 18]],
    },
    {
      why: 'a hint counts twice a description',
      query: 'bug',
      expected: [
        ['list_issues', 4],
        ['create_issue', 2],
      ],
    },
    { why: 'punctuation belongs to the word', query: 'bug.', expected: [] },
    { why: 'nothing is asked', query: ' ', expected: [] },
    {
      why: 'a word after + must be there',
      query: '+bug create',
      expected: [
        ['create_issue', 18],
        ['list_issues', 4],
      ],
    },
  ])('scores $query: $why', async ({ query, expected }) => {
    expect(await scoresOf(claudeCode, tools, query)).toEqual(expected)
  })
})

describe('AI SDK 7', () => {
  const tools: readonly SearchedTool[] = [
    { name: 'createIssue', description: 'Open a new issue' },
    { name: 'list_issues', description: 'Show issues, create none' },
    { name: 'other', inputSchema: { type: 'object', properties: { issue: { type: 'string' } } } },
  ]
  test.each([
    { why: 'name 2 and description 1', query: 'issue', expected: [['createIssue', 3]] },
    {
      why: 'each word once',
      query: 'create create',
      expected: [
        ['createIssue', 2],
        ['list_issues', 1],
      ],
    },
    {
      why: 'ties in the order of the list',
      query: 'open show',
      expected: [
        ['createIssue', 1],
        ['list_issues', 1],
      ],
    },
    { why: 'arguments are not read', query: 'string', expected: [] },
  ])('scores $query: $why', async ({ query, expected }) => {
    expect(await scoresOf(aiSdk, tools, query)).toEqual(expected)
  })
})

describe('BM25', () => {
  // Three texts of 2, 2 and 4 words: their mean is 8/3.
  const tools: readonly SearchedTool[] = [
    { name: 'a', description: 'mail' },
    { name: 'b', description: 'file' },
    { name: 'c', inputSchema: { type: 'object', properties: { mail: { description: 'mail to' } } } },
  ]
  test('scores by frequency, rarity and length', async () => {
    const idf = Math.log(1 + (3 - 2 + 0.5) / 2.5)
    const c = (idf * 2 * 1.9) / (2 + 0.9 * (0.6 + 0.4 * (4 / (8 / 3))))
    const a = (idf * 1.9) / (1 + 0.9 * (0.6 + 0.4 * (2 / (8 / 3))))
    expect(await scoresOf(bm25, tools, 'mail')).toEqual([
      ['c', Number(c.toFixed(4))],
      ['a', Number(a.toFixed(4))],
    ])
  })
})

const text = fc.stringMatching(/^[a-z .?+_-]{0,30}$/)
const list = fc.array(fc.record({ name: fc.stringMatching(/^[a-z_]{1,10}$/), description: text }), {
  maxLength: 8,
})

describe('every ranker', () => {
  const config = configFrom({ AUDITION_MODEL: '' })
  const audition: Audition = openAudition(config)
  const rankers = hostRankers((cards, request) => audition.searchAmong(cards, request))

  test.each(rankers.map((ranker) => [ranker.name, ranker] as const))(
    '%s gives places of the list, none twice, best first, and the same again',
    async (_, ranker) => {
      await fc.assert(
        fc.asyncProperty(
          list,
          text.filter((query) => query.trim() !== ''),
          async (tools, query) => {
            const search = ranker.over(tools)
            const found = await search(query)
            expect(new Set(found.map(({ index }) => index)).size).toBe(found.length)
            expect(found.every(({ index }) => index >= 0 && index < tools.length)).toBe(true)
            const scores = found.map(({ score }) => score)
            expect(scores).toEqual([...scores].sort((a, b) => b - a))
            expect(await search(query)).toEqual(found)
          },
        ),
        { numRuns: 15 },
      )
    },
  )

  test('ours finds by what is meant', async () => {
    const tools = [
      { name: 'send_email', description: 'Sends a message to people by e-mail' },
      { name: 'list_files', description: 'Names the files of a folder' },
    ]
    const ours = rankers.find(({ name }) => name === 'audition')!
    const [first] = await ours.over(tools)('write to Ada that lunch is at noon by mail')
    expect(first?.index).toBe(0)
  })
})
