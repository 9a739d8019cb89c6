import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Card } from '../../../src/domain/card.ts'
import { openCardIndex, packCardIndex } from '../../../src/retrieval/index/card-index.ts'
import type { CardFilter } from '../../../src/retrieval/index/card-filter.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'

const runtime = { kind: 'http', method: 'GET', url: 'https://api.example/' } as const
const tools: readonly Card[] = [
  toolCard('forge/list', {
    server: 'forge',
    tags: ['Issues', 'code'],
    annotations: { readOnly: true },
    runtime,
  }),
  toolCard('forge/close', { server: 'forge', tags: ['issues'], annotations: { readOnly: false }, runtime }),
  toolCard('sky/forecast', { server: 'sky', tags: ['weather'], annotations: {} }),
  toolCard('odd/plain', { tags: [' Weather ', '\ud800', '\ue000'] }),
]
const agents: readonly Card[] = [
  agentCard('team/hunter', {
    agentKind: 'subagent',
    tags: ['code'],
    runtime: { kind: 'profile', file: '/a' },
  }),
  agentCard('team/lister', { agentKind: 'listing' }),
  agentCard('forge/forge', {
    agentKind: 'toolkit',
    tools: [{ name: 'list', id: 'forge/list' }, { name: 'x' }],
  }),
  agentCard('team/smith', {
    tools: [
      { name: 'list', id: 'forge/list' },
      { name: 'l', id: 'forge/list' },
    ],
  }),
]
const indexOf = (cards: readonly Card[]) => openCardIndex(packCardIndex(cards))!

/** Ids a filter admits, ascending; all of them when it is open. */
function admitted(cards: readonly Card[], filter: CardFilter): string[] {
  const index = indexOf(cards)
  const flags = index.admit(filter)
  const ids = Array.from({ length: index.size }, (_, document) => index.ids.at(document))
  return ids.filter((_, document) => flags === null || flags[document] === 1)
}

const everyTool = ['forge/close', 'forge/list', 'odd/plain', 'sky/forecast']
const everyAgent = ['forge/forge', 'team/hunter', 'team/lister', 'team/smith']

describe('a filter of tools', () => {
  test.each([
    { why: 'no condition admits all', filter: {}, ids: everyTool },
    { why: 'empty lists are no condition', filter: { sources: [], tags: [], exclude: [] }, ids: everyTool },
    { why: 'one source', filter: { sources: ['sky'] }, ids: ['sky/forecast'] },
    { why: 'either of two sources', filter: { sources: ['sky', 'odd'] }, ids: ['odd/plain', 'sky/forecast'] },
    { why: 'a source is named exactly', filter: { sources: ['SKY', 'sk'] }, ids: [] },
    { why: 'tags in any case', filter: { tags: ['ISSUES '] }, ids: ['forge/close', 'forge/list'] },
    { why: 'tags with spaces around', filter: { tags: ['weather'] }, ids: ['odd/plain', 'sky/forecast'] },
    {
      why: 'either of two tags',
      filter: { tags: ['code', 'weather'] },
      ids: ['forge/list', 'odd/plain', 'sky/forecast'],
    },
    { why: 'a broken tag', filter: { tags: ['\ud800'] }, ids: ['odd/plain'] },
    { why: 'a tag beside a broken one', filter: { tags: ['\ue000'] }, ids: ['odd/plain'] },
    { why: 'one server; tools without any are of none', filter: { servers: ['sky'] }, ids: ['sky/forecast'] },
    { why: 'an unknown server, nor are they of that', filter: { servers: ['missing'] }, ids: [] },
    { why: 'a server is named exactly', filter: { servers: ['SKY', 'sk'] }, ids: [] },
    { why: 'what can be run', filter: { hasRuntime: true }, ids: ['forge/close', 'forge/list'] },
    { why: 'what cannot', filter: { hasRuntime: false }, ids: ['odd/plain', 'sky/forecast'] },
    { why: 'what declares itself read-only', filter: { readOnly: true }, ids: ['forge/list'] },
    {
      why: 'what does not, unknown ones with it',
      filter: { readOnly: false },
      ids: ['forge/close', 'odd/plain', 'sky/forecast'],
    },
    {
      why: 'all but some',
      filter: { exclude: ['forge/list', 'no/such'] },
      ids: ['forge/close', 'odd/plain', 'sky/forecast'],
    },
    {
      why: 'only some, whatever their order',
      filter: { only: ['sky/forecast', 'no/such', 'forge/list'] },
      ids: ['forge/list', 'sky/forecast'],
    },
    { why: 'an empty list of only these is a condition', filter: { only: [] }, ids: [] },
    {
      why: 'only some that are not left out',
      filter: { only: ['sky/forecast', 'forge/list'], exclude: ['forge/list'] },
      ids: ['sky/forecast'],
    },
    { why: 'kinds of agents say nothing of tools', filter: { agentKinds: ['profile'] }, ids: everyTool },
    {
      why: 'conditions are joined by "and"',
      filter: { sources: ['forge'], tags: ['code'], hasRuntime: true },
      ids: ['forge/list'],
    },
    { why: 'and may leave nothing', filter: { sources: ['forge'], tags: ['weather'] }, ids: [] },
  ])('admits $ids: $why', ({ filter, ids }) => {
    expect(admitted(tools, filter)).toEqual(ids)
  })

  test('by server admits nothing where no tool has a server', () => {
    expect(admitted([toolCard('odd/plain')], { servers: ['forge'] })).toEqual([])
  })

  test('admits what each of its conditions admits', () => {
    const filters: fc.Arbitrary<CardFilter> = fc.record(
      {
        sources: fc.subarray(['forge', 'sky', 'odd', 'none']),
        tags: fc.subarray(['issues', 'CODE', 'weather', 'none']),
        servers: fc.subarray(['forge', 'sky', 'none']),
        hasRuntime: fc.boolean(),
        readOnly: fc.boolean(),
        exclude: fc.subarray(everyTool),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(filters, (filter) => {
        const single = Object.entries(filter).map(([name, value]) => admitted(tools, { [name]: value }))
        expect(admitted(tools, filter)).toEqual(
          everyTool.filter((id) => single.every((ids) => ids.includes(id))),
        )
      }),
    )
  })
})

describe('a filter of agents', () => {
  test.each([
    { why: 'one kind', filter: { agentKinds: ['listing'] }, ids: ['team/lister'] },
    {
      why: 'either of two kinds',
      filter: { agentKinds: ['toolkit', 'subagent'] },
      ids: ['forge/forge', 'team/hunter'],
    },
    { why: 'a kind that none is of', filter: { agentKinds: ['a2a'] }, ids: [] },
    { why: 'servers say nothing of agents', filter: { servers: ['forge'] }, ids: everyAgent },
    { why: 'what can be run', filter: { hasRuntime: true }, ids: ['team/hunter'] },
    {
      why: 'kind, source and tag together',
      filter: { agentKinds: ['subagent'], sources: ['team'], tags: ['code'] },
      ids: ['team/hunter'],
    },
  ])('admits $ids: $why', ({ filter, ids }) => {
    expect(admitted(agents, filter)).toEqual(ids)
  })
})

describe('columns', () => {
  test('tell the source and the publisher, which is the source where none is named', () => {
    const index = indexOf([toolCard('forge/a', { publisher: 'acme' }), toolCard('sky/b')])
    expect([index.source(0), index.publisher(0)]).toEqual(['forge', 'acme'])
    expect([index.source(1), index.publisher(1)]).toEqual(['sky', 'sky'])
  })

  test('tell the agents that own a tool, each once', () => {
    const index = indexOf(agents)
    const owners = [...index.ownersOf('forge/list')].map((document) => index.ids.at(document))
    expect(owners).toEqual(['forge/forge', 'team/smith'])
    expect([...index.ownersOf('forge/none')]).toEqual([])
  })

  test('know a server by its name and by what ids make of it, and the name itself goes first', () => {
    const cards = [
      toolCard('Kalender-für-alle/tag', { server: 'Kalender für alle' }),
      toolCard('a-b/x', { server: 'a b' }),
      toolCard('a-b~2/x', { server: 'a/b' }),
      toolCard('c-d/x', { server: 'c d' }),
      toolCard('c-d~2/x', { server: 'c-d' }),
    ]
    expect(admitted(cards, { servers: ['Kalender für alle'] })).toEqual(['Kalender-für-alle/tag'])
    expect(admitted(cards, { servers: ['Kalender-für-alle'] })).toEqual(['Kalender-für-alle/tag'])
    expect(admitted(cards, { servers: ['a-b'] })).toEqual(['a-b/x', 'a-b~2/x'])
    expect(admitted(cards, { servers: ['c-d'] })).toEqual(['c-d~2/x'])
  })

  test('tell the values that a filter may name', () => {
    const { values } = indexOf(tools)
    const list = (column: keyof typeof values) =>
      Array.from({ length: values[column].table.size }, (_, place) => values[column].table.at(place))
    expect(list('servers')).toEqual(['forge', 'sky'])
    expect(list('tags')).toEqual(['code', 'issues', 'weather', '\ue000', '\ufffd'])
  })

  test('put together what comes together: tools of a server, else cards of a source', () => {
    const index = indexOf([
      toolCard('forge/a', { server: 'hub' }),
      toolCard('other/b', { server: 'hub' }),
      toolCard('forge/c', { server: 'sky' }),
      toolCard('hub/d'),
      toolCard('hub/e'),
    ])
    const [a, c, d, e, b] = Array.from({ length: 5 }, (_, document) => index.family(document))
    expect(index.ids.at(4)).toBe('other/b')
    expect([a === b, d === e]).toEqual([true, true])
    // A source is not the server that has its name.
    expect(new Set([a, c, d]).size).toBe(3)
    expect([a, c, d].map((family) => index.familySize(family!))).toEqual([2, 1, 2])
    expect(index.familySize(1000)).toBe(0)
  })

  test('agents come together by their source; families are as large as there are cards', () => {
    const index = indexOf(agents)
    const families = Array.from({ length: index.size }, (_, document) => index.family(document))
    expect(families.map((family) => index.familySize(family))).toEqual([1, 3, 3, 3])
    const sizes = [...new Set(families)].map((family) => index.familySize(family))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(index.size)
    expect(indexOf([]).familySize(0)).toBe(0)
  })
})
