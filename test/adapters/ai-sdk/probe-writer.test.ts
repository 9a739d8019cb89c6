import { describe, expect, test } from 'vitest'
import { probeWriter } from '../../../src/adapters/ai-sdk/judge/probe-writer.ts'
import type { ToolCard } from '../../../src/domain/card.ts'
import { LanguageModelError } from '../../../src/evaluation/evaluation-settings.ts'
import { judgeAttackStrings } from '../../attacks/judge-strings.ts'
import { outsideTheFence } from '../../attacks/outside-the-fence.ts'
import type { ChatReply } from '../../fakes/chat-endpoint.ts'
import { inTurn, openedChats } from '../../fakes/opened-chats.ts'

const chat = openedChats()
const opened = (...replies: readonly ChatReply[]) => chat(inTurn(replies))

const card = (description: string): ToolCard => ({
  kind: 'tool',
  id: `a/${description.length}`,
  source: 'a',
  name: 'secret_name',
  description,
  examples: ['what is 2 plus 2'],
  tags: [],
  parameters: [{ name: 'sum', description: 'what to add', required: true }],
  provenance: { reader: 'test', location: 'here' },
})
const probes = (...written: readonly (readonly [string, string])[]) =>
  JSON.stringify({ probes: written.map(([dimension, probe]) => ({ dimension, probe })) })

describe('probes written by a model', () => {
  test('come from goal and cards, one of each dimension in turn, without repeats', async () => {
    const { settings, sent } = await opened(
      probes(
        ['task performance', 'What is 17 * 3? One number.'],
        ['task performance', 'what is 17 * 3?  one number.'],
        ['task performance', 'What is 17 * 4? One number.'],
        ['consistency', 'Three times seventeen: one number.'],
        ['failure mode', ' '],
        ['failure mode', 'x'.repeat(601)],
        ['capability boundary', 'Can you\u202e book a flight? yes or no'],
      ),
    )
    const writer = probeWriter(settings)
    expect(
      await writer.write({ goal: 'sums for shops', candidates: [card('Adds numbers.')], count: 3 }),
    ).toEqual([
      'Can you book a flight? yes or no',
      'Three times seventeen: one number.',
      'What is 17 * 3? One number.',
    ])
    expect(writer.model).toBe(settings.spec)
    expect(sent[0]?.user).toMatch(
      /\| sums for shops\n[\s\S]*\| Adds numbers\.\n\| Example: what is 2 plus 2\n\| sum: what to add\n[\s\S]*Write 3 probes\./,
    )
    expect(sent[0]?.user).not.toContain('secret_name')
  })

  test('no card and no goal says anything outside the fences', async () => {
    const { settings, sent } = await opened(probes(['consistency', 'Is it? yes or no']))
    for (const attack of judgeAttackStrings.filter((_, index) => index % 6 === 0)) {
      await probeWriter(settings).write({ goal: attack, candidates: [card(attack), card('Adds.')], count: 5 })
    }
    for (const { system, user } of sent) {
      expect(outsideTheFence(system, user)).toBe(
        'The goal:\n\nCandidate 1:\n\nCandidate 2:\n\nWrite 5 probes.',
      )
    }
    expect(sent.length).toBeGreaterThan(10)
  })

  test('twenty cards are shown at most, each cut', async () => {
    const { settings, sent } = await opened(probes(['consistency', 'Is it? yes or no']))
    await probeWriter(settings).write({
      goal: 'goal',
      candidates: Array.from({ length: 30 }, () => card('word '.repeat(2000))),
      count: 1,
    })
    expect(sent[0]?.user.match(/^Candidate \d+:$/gm)).toHaveLength(20)
    expect(sent[0]?.user.length).toBeLessThan(20 * 1800)
  })

  test('an answer of another shape is asked for once more', async () => {
    const { settings, sent } = await opened('1. Is it?', probes(['consistency', 'Is it? yes or no']))
    expect(await probeWriter(settings).write({ goal: 'goal', candidates: [], count: 2 })).toEqual([
      'Is it? yes or no',
    ])
    expect(sent).toHaveLength(2)
  })

  test.each([
    { why: 'no probes', replies: ['{"probes": []}'] },
    { why: 'no JSON', replies: ['sorry'] },
    {
      why: 'a refusal of the endpoint',
      replies: [{ status: 401, body: '{"error": {"message": "sk-secret is bad"}}' }],
    },
  ])('$why is an error with a remedy, without the key', async ({ replies }) => {
    const { settings } = await opened(...replies)
    const failure = await probeWriter(settings)
      .write({ goal: 'goal', candidates: [], count: 2 })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(LanguageModelError)
    expect(failure).toMatchObject({
      remedy: expect.any(String),
      message: expect.not.stringContaining('sk-secret'),
    })
  })

  test('a caller may stop it', async () => {
    const { settings } = await opened(probes())
    const stopped = probeWriter(settings).write(
      { goal: 'goal', candidates: [], count: 2 },
      AbortSignal.abort(new Error('enough')),
    )
    await expect(stopped).rejects.toThrow('enough')
  })
})
