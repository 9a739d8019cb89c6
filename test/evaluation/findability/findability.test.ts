import { describe, expect, test } from 'vitest'
import { findability, type FindabilityGround } from '../../../src/evaluation/findability/findability.ts'
import { aiSdk } from '../../../src/evaluation/host-rankers/word-rankers.ts'
import { claudeCode } from '../../../src/evaluation/host-rankers/claude-code.ts'
import type { HostRanker, SearchedTool } from '../../../src/evaluation/host-rankers/host-ranker.ts'

const own: readonly SearchedTool[] = [
  { server: 'vault', name: 'create_note', description: 'Create a note. Tags can be set.' },
  { server: 'vault', name: 'find', description: 'Search everything. Shows tags of each entry.' },
]
const others: readonly SearchedTool[] = [
  { server: 'web', name: 'make_page', description: 'Make a page' },
  { server: 'web', name: 'tag_page', description: 'Tag a page' },
]
const measure = (ground: Partial<FindabilityGround>) =>
  findability({ tools: own, among: others, rankers: [aiSdk], requests: [], written: 'given', ...ground })

describe('where tools stand', () => {
  test('is measured by host and by tool', async () => {
    const { hosts, tools } = await measure({
      requests: [
        { text: 'create note', tools: [0] }, // name 2 + 2, description 1 + 1: first
        { text: 'make page', tools: [0] }, // not found
        { text: 'tags everything', tools: [1] }, // 2 words of its description, 1 of the note's: first
        { text: 'tags', tools: [1] }, // ties with the note, which is before it: second
      ],
    })
    expect(hosts).toEqual([{ name: 'ai-sdk', title: 'AI SDK 7', hit1: 0.5, hit5: 0.75, mrr: 0.625 }])
    expect(tools).toEqual([
      {
        tool: 'vault/create_note',
        requests: 2,
        hosts: { 'ai-sdk': { hit1: 0.5, hit5: 0.5, mrr: 0.5, ranks: [1, null] } },
      },
      {
        tool: 'vault/find',
        requests: 2,
        hosts: { 'ai-sdk': { hit1: 0.5, hit5: 1, mrr: 0.75, ranks: [1, 2] } },
      },
    ])
  })

  test('leaves out other tools that serve the request', async () => {
    const { tools } = await measure({ requests: [{ text: 'tags', tools: [0, 1] }] })
    expect(tools.map(({ hosts }) => hosts['ai-sdk']?.ranks)).toEqual([[1], [1]])
  })

  test('puts the tools of others first where scores are equal', async () => {
    const same = { name: 'make_page', description: 'Make a page' }
    const { tools } = await measure({ tools: [same], requests: [{ text: 'make', tools: [0] }] })
    expect(tools[0]?.hosts['ai-sdk']?.ranks).toEqual([2])
  })

  test('says of how many tools nothing was asked, and that generated requests are easy', async () => {
    const { notes } = await measure({ requests: [{ text: 'note', tools: [0] }], written: 'generated' })
    expect(notes).toEqual([
      expect.stringContaining('generated from the tools’ own words'),
      '1 tool of 2: nothing was asked of them.',
    ])
  })
})

describe('a ranker that keeps the processor', () => {
  const slow: HostRanker = {
    ...aiSdk,
    over: () => async () => {
      for (const until = performance.now() + 25; performance.now() < until; );
      return []
    },
  }
  const requests = Array.from({ length: 8 }, () => ({ text: 'tags', tools: [1] }))

  test('lets others have their turn, and tells how far it is', async () => {
    const told: number[] = []
    let turns = 0
    const others = setInterval(() => (turns += 1), 0)
    await measure({
      rankers: [slow],
      requests,
      written: 'generated',
      onProgress: ({ done, total }) => told.push(done / total),
    })
    clearInterval(others)
    expect(turns).toBeGreaterThan(1)
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
  })

  test('can be stopped on the way', async () => {
    const stop = new AbortController()
    const measuring = measure({
      rankers: [slow],
      requests,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('that is enough')),
    })
    await expect(measuring).rejects.toThrow('that is enough')
  })
})

describe('confusions', () => {
  test('name the pair, the hosts, and the words without which it would not be', async () => {
    const { confusions } = await measure({
      requests: [{ text: 'put a note on the page', tools: [0] }],
    })
    expect(confusions).toEqual([
      {
        tool: 'vault/create_note',
        rival: 'web/make_page',
        isOwn: false,
        requests: ['put a note on the page'],
        hosts: ['ai-sdk'],
        words: ['page'],
      },
    ])
  })

  test('are none where the tool stands first', async () => {
    expect((await measure({ requests: [{ text: 'create note', tools: [0] }] })).confusions).toEqual([])
  })
})

describe('suggestions', () => {
  const asked = (...texts: readonly string[]) => texts.map((text) => ({ text, tools: [0] }))

  test('add words that held out requests have too, with the gain', async () => {
    // Learnt from: the first and the third. Held out: the second and the fourth, which say "page" too.
    const requests = asked('start a page for tax', 'a page on tea', 'one more page', 'page about Oslo')
    const { suggestions } = await measure({ requests, rankers: [aiSdk, claudeCode] })
    expect(suggestions).toMatchObject([
      {
        tool: 'vault/create_note',
        helps: 'vault/create_note',
        field: 'description',
        text: 'Create a note. Tags can be set. Also asked for as: page.',
        adds: ['page'],
        hosts: ['ai-sdk', 'claude-code'],
        requests: 2,
        near: { requests: 0 },
      },
      { field: 'searchHint', text: 'page', hosts: ['claude-code'], requests: 2 },
    ])
    for (const { before, after } of suggestions) expect(after.mrr).toBeGreaterThan(before.mrr)
  })

  test('are not kept where held out requests have no use of the words', async () => {
    const requests = asked('start a page', 'jot on tea', 'one more page', 'remember Oslo')
    const { suggestions, notes, attempts } = await measure({ requests })
    expect({ suggestions, notes }).toEqual({
      suggestions: [],
      notes: [
        '1 tool of 2: nothing was asked of them.',
        'No suggestion for 1 tool: a text was tried and did not help requests that it was not made of, or took as much from others.',
      ],
    })
    expect(attempts).toMatchObject([
      { tool: 'vault/create_note', outcome: 'no gain', best: { adds: ['page'], requests: 2 } },
      { outcome: 'not asked for' },
    ])
  })

  test.each([
    ['too few requests', ['start a page']],
    ['found first', ['create note', 'create a note tags set', 'create a note', 'note tags set']],
    ['no words', ['zebra', 'xylophone', 'quux', 'zither']],
    ['helped', ['start a page for tax', 'a page on tea', 'one more page', 'page about Oslo']],
  ])('say of a tool what became of the search: %s', async (outcome, texts) => {
    const { attempts } = await measure({ requests: asked(...texts) })
    expect(attempts[0]).toMatchObject({ tool: 'vault/create_note', outcome })
  })

  test('are not kept where they take more from other tools than they give', async () => {
    const requests = [
      ...asked('start a page', 'page on tea', 'one more page', 'page'),
      ...['page everything', 'find page', 'each page', 'page entry', 'page search', 'page shows'].map(
        (text) => ({
          text,
          tools: [1],
        }),
      ),
    ]
    const { suggestions } = await measure({ requests })
    expect(
      suggestions.filter(({ tool, adds }) => tool === 'vault/create_note' && adds.includes('page')),
    ).toEqual([])
  })

  test('drop a sentence of a tool of one’s own that draws requests away', async () => {
    const requests = asked('set tags of each', 'tags of each tea', 'tags each', 'each of the tags')
    const { suggestions } = await measure({ requests, among: [] })
    expect(suggestions).toContainEqual(
      expect.objectContaining({
        tool: 'vault/find',
        helps: 'vault/create_note',
        field: 'description',
        text: 'Search everything.',
        drops: expect.arrayContaining(['each']) as unknown,
      }),
    )
  })

  test('are none of generated requests: they are the tool’s own words', async () => {
    const requests = asked('start a page', 'page on tea', 'one more page', 'page')
    expect((await measure({ requests, written: 'generated' })).suggestions).toEqual([])
  })
})
