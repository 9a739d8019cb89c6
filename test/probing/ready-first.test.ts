import { expect, test } from 'vitest'
import { searchForRunning } from '../../src/probing/run/ready-first.ts'
import type { Probing } from '../../src/probing/run/probing.ts'
import type { Signals } from '../../src/retrieval/answer.ts'
import { agentCard, answerOf, scored } from '../fakes/sample-cards.ts'

const broken = agentCard({ id: 'a/broken' })
const copy = agentCard({ id: 'b/copy' })
const further = agentCard({ id: 'c/further' })
const held = agentCard({ id: 'd/held' })

const why = { kind: 'runtime', message: 'no program', remedy: 'Install it.' } as const
const plan: Probing['plan'] = async ({ cards }) =>
  cards.map((card) => ({
    card,
    tasks: [],
    launch: null,
    notRun:
      card === broken
        ? why
        : card === held
          ? { kind: 'permission', missing: ['command:x'], display: 'x' }
          : null,
  })) as never

const record: NonNullable<Signals['record']> = {
  ...{ runs: 1, successes: 1, similarRuns: 0, similarSuccesses: 0 },
  ...{ medianSeconds: null, estimate: 0.9, speaks: 'for' as const },
}

const found = async (duplicates: readonly string[]) => {
  const candidates = [scored(broken, 1, { duplicates, record }), scored(further, 0.9)]
  const answer = await searchForRunning(
    { kind: 'agent', query: 'x', filter: { hasRuntime: true } },
    async () => answerOf('agent', candidates),
    { plan, cards: async (ids) => [held, copy].filter(({ id }) => ids.includes(id)) },
  )
  return answer.candidates.map(({ card, signals }) => ({ id: card.id, ...signals }))
}

test('a near-copy that can run takes the place of the one it was folded into, and not its record', async () => {
  const [first, ...others] = await found(['d/held', 'b/copy'])
  expect(first).toMatchObject({ id: 'b/copy', duplicates: ['a/broken', 'd/held'] })
  expect(first).not.toHaveProperty('obstacle')
  expect(first).not.toHaveProperty('record')
  expect(others.map(({ id }) => id)).toEqual(['c/further'])
})

test('so does one that need only be allowed; without any the original says why', async () => {
  expect(await found(['d/held'])).toMatchObject([
    { id: 'c/further' },
    { id: 'd/held', obstacle: { kind: 'permission' } },
  ])
  expect(await found([])).toMatchObject([{ id: 'c/further' }, { id: 'a/broken', obstacle: why }])
})
