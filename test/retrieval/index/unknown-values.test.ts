import { expect, test } from 'vitest'
import { openCardIndex, packCardIndex } from '../../../src/retrieval/index/card-index.ts'
import { unknownValues } from '../../../src/retrieval/index/unknown-values.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'

const indexes = {
  tool: openCardIndex(
    packCardIndex([
      toolCard('days/next', { server: 'days of all', tags: ['Time'] }),
      toolCard('forge/list', { server: 'forge', tags: ['code'] }),
      toolCard('odd/plain'),
    ]),
  )!,
  agent: openCardIndex(packCardIndex([agentCard('team/hunter', { tags: ['code', 'bugs'] })]))!,
}

test.each([
  { why: 'no filter', filter: {} },
  { why: 'empty lists', filter: { servers: [], tags: [] } },
  { why: 'names as configured and as ids have them', filter: { servers: ['days of all', 'days-of-all'] } },
  { why: 'tags in any case, of tools and of agents', filter: { tags: [' TIME', 'code', 'bugs'] } },
])('nothing is unknown of $why', ({ filter }) => {
  expect(unknownValues(indexes, filter)).toEqual([])
})

test('what no card has is told beside all that cards have', () => {
  expect(unknownValues(indexes, { servers: ['forge', 'Forge', 'odd'], tags: ['code', 'nope'] })).toEqual([
    { filter: 'servers', unknown: ['Forge', 'odd'], known: ['days of all', 'forge'] },
    { filter: 'tags', unknown: ['nope'], known: ['bugs', 'code', 'time'] },
  ])
})
