import { describe, expect, test } from 'vitest'
import { openCardIndex, packCardIndex } from '../../../src/retrieval/index/card-index.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import { retrievalDefaults } from '../../../src/retrieval/search/retrieve.ts'
import { search } from '../../../src/retrieval/search/search.ts'
import { liftOf } from '../../../src/retrieval/rank/ranked-card.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'

const tools = [
  toolCard('web/resize', { name: 'resize_image', description: 'Resizes an image to a width and a height.' }),
  toolCard('web/crop', { name: 'crop_image', description: 'Cuts a part out of an image.' }),
  toolCard('web/mail', { name: 'send_mail', description: 'Sends a mail.' }),
]
const owning = (...ids: readonly string[]) => ({ tools: ids.map((id) => ({ name: 'own', id })) })
const agents = [
  agentCard('team/helper', { description: 'Does things.', ...owning('web/resize', 'web/mail') }),
  agentCard('team/idler', { description: 'Does things, too.', ...owning('web/mail') }),
  agentCard('team/painter', { description: 'Talks about art and how an image is painted.' }),
]

describe('liftOf', () => {
  const agentIndex = openCardIndex(packCardIndex(agents))!
  const toolIndex = openCardIndex(packCardIndex(tools))!
  const scores = (entries: { readonly [id: string]: number }) =>
    new Map(Object.entries(entries).map(([id, score]) => [toolIndex.ids.indexOf(id), score]))

  test.each([
    {
      why: 'its best tool speaks for an agent',
      found: { 'web/mail': 0.4, 'web/resize': 0.9 },
      lifts: {
        'team/helper': { tool: 'web/resize', score: 0.9 },
        'team/idler': { tool: 'web/mail', score: 0.4 },
      },
    },
    {
      why: 'of two equal tools the one that stands first',
      found: { 'web/mail': 0.5, 'web/resize': 0.5 },
      lifts: {
        'team/helper': { tool: 'web/mail', score: 0.5 },
        'team/idler': { tool: 'web/mail', score: 0.5 },
      },
    },
    { why: 'a tool that nobody owns lifts nobody', found: { 'web/crop': 1 }, lifts: {} },
    { why: 'nothing found lifts nobody', found: {}, lifts: {} },
  ])('$why', ({ found, lifts }) => {
    const lifted = liftOf(agentIndex, toolIndex, scores(found as { [id: string]: number }))
    expect(
      Object.fromEntries([...lifted].map(([document, lift]) => [agentIndex.ids.at(document), lift])),
    ).toEqual(lifts)
  })
})

describe('a search for agents', () => {
  const find = async (query: string, parts: object = {}, liftShare = retrievalDefaults.liftShare) => {
    const snapshot = await memorySnapshot([...tools, ...agents])
    const settings = { ...retrievalDefaults, liftShare }
    return search({ snapshot, model: null, settings }, { kind: 'agent', query, ...parts })
  }

  test('finds a terse agent by the tool it owns, and says so', async () => {
    const { candidates } = await find('resize a picture to a smaller width')
    expect(candidates[0]!.card.id).toBe('team/helper')
    expect(candidates[0]!.signals.lift).toEqual({ from: 'web/resize', share: 1 })
    expect(candidates[0]!.signals.lexical).toBeUndefined()
  })

  test('without lift, finds it not at all', async () => {
    const { candidates } = await find('resize a picture to a smaller width', {}, 0)
    expect(candidates).toEqual([])
  })

  test('an agent whose own words fit stands above one that only has the tool', async () => {
    const { candidates } = await find('an image painted as art')
    expect(candidates.map(({ card }) => card.id)).toEqual(['team/painter', 'team/helper'])
    expect(candidates[0]!.signals.lift).toBeUndefined()
    expect(candidates[1]!.signals.lift?.from).toBe('web/resize')
  })

  test('a share tells how much of the score the tool gave', async () => {
    const { candidates } = await find('resize things')
    const [first] = candidates
    expect(first!.card.id).toBe('team/helper')
    expect(first!.signals.lift!.share).toBeGreaterThan(0)
    expect(first!.signals.lift!.share).toBeLessThan(1)
    expect(first!.score * first!.signals.lift!.share).toBeCloseTo(retrievalDefaults.liftShare, 10)
  })

  test.each([
    { why: 'excluded', filter: { exclude: ['team/helper'] } },
    { why: 'of another kind', filter: { agentKinds: ['subagent'] } },
  ])('an agent that is $why is not lifted past the filter', async ({ filter }) => {
    const { candidates } = await find('resize a picture to a smaller width', { filter })
    expect(candidates).toEqual([])
  })

  test('tools are never lifted', async () => {
    const snapshot = await memorySnapshot([...tools, ...agents])
    const { candidates } = await search({ snapshot, model: null }, { kind: 'tool', query: 'resize an image' })
    for (const { signals } of candidates) expect(signals.lift).toBeUndefined()
  })
})
