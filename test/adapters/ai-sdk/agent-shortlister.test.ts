import { describe, expect, test } from 'vitest'
import { agentShortlister } from '../../../src/adapters/ai-sdk/judge/agent-shortlister.ts'
import { LanguageModelError } from '../../../src/evaluation/evaluation-settings.ts'
import { judgeAttackStrings } from '../../attacks/judge-strings.ts'
import { outsideTheFence } from '../../attacks/outside-the-fence.ts'
import type { ChatReply } from '../../fakes/chat-endpoint.ts'
import { inTurn, openedChats } from '../../fakes/opened-chats.ts'
import { toolCard } from '../../fakes/sample-cards.ts'

const chat = openedChats()
const opened = (...replies: readonly ChatReply[]) => chat(inTurn(replies))

const tools = ['book_flight', 'reserve_room'].map((name) => toolCard({ name, description: `Does ${name}.` }))
const shortlists = {
  task: 'plan a trip',
  facets: ['book a flight', 'reserve a room'],
  tools,
  backbones: [{ name: 'tiny', id: 'acme/tiny' }],
  count: 3,
}
const agents = (...written: readonly { backbone: string | null; tools: readonly string[] }[]) =>
  JSON.stringify({ agents: written })

describe('combinations by a model', () => {
  test('go by labels that were given; invented names are dropped and counted', async () => {
    const { settings, sent } = await opened(
      agents(
        { backbone: 'M1', tools: ['T1', 'T2', 'T2'] },
        { backbone: 'M7', tools: ['T2', 'T3', 'book_flight', 'CustomTool_pay'] },
        { backbone: null, tools: ['nothing-here'] },
        { backbone: null, tools: [] },
      ),
    )
    expect(await agentShortlister(settings).combine(shortlists)).toEqual({
      combinations: [
        { backbone: 0, tools: [0, 1] },
        { backbone: null, tools: [1] },
        { backbone: null, tools: [] },
      ],
      dropped: 5,
    })
    expect(sent[0]?.user).toMatch(
      /\| plan a trip\n[\s\S]*T2:\n<<<BEGIN TOOL [\s\S]*\| reserve_room\n\| Does reserve_room\.[\s\S]*\| acme\/tiny[\s\S]*Write up to 3 agents\./,
    )
  })

  test('an answer that cannot be used gives none; an endpoint that is down is told', async () => {
    const { settings } = await opened('I would rather not.')
    expect(await agentShortlister(settings).combine(shortlists)).toEqual({ combinations: [], dropped: 0 })
    const down = await opened({ status: 401 })
    await expect(agentShortlister(down.settings).combine(shortlists)).rejects.toThrow(LanguageModelError)
    await expect(agentShortlister(down.settings).combine(shortlists)).rejects.not.toThrow(/sk-secret/)
  })

  test('no card and no task says anything outside the fences', async () => {
    const { settings, sent } = await opened(agents({ backbone: null, tools: ['T1'] }))
    for (const attack of judgeAttackStrings.filter((_, index) => index % 6 === 0)) {
      const hostile = toolCard({ name: attack, description: attack })
      await agentShortlister(settings).combine({
        ...shortlists,
        task: attack,
        facets: [attack],
        tools: [hostile],
      })
    }
    for (const { system, user } of sent)
      expect(outsideTheFence(system, user)).toBe('\nT1:\n\nM1:\n\nWrite up to 3 agents.')
    expect(sent.length).toBeGreaterThan(10)
  })
})
