import { expect, test } from 'vitest'
import { searchForRunning } from '../../src/probing/run/ready-first.ts'
import type { Probing } from '../../src/probing/run/probing.ts'
import type { ScoredCard, Signals } from '../../src/retrieval/answer.ts'
import { agentCard, answerOf, scored } from '../fakes/sample-cards.ts'

const broken = agentCard({ id: 'a/broken' })
const copy = agentCard({ id: 'b/copy' })
const further = agentCard({ id: 'c/further' })
const held = agentCard({ id: 'd/held' })
const lent = agentCard({ id: 'e/lent' })

const why = { kind: 'runtime', message: 'no program', remedy: 'Install it.' } as const
const plan: Probing['plan'] = async ({ cards }) =>
  cards.map((card) => ({
    card,
    tasks: [],
    launch: null,
    notRun:
      card === broken
        ? why
        : card === held || card === lent
          ? { kind: 'permission', missing: ['command:x'], display: 'x' }
          : null,
  })) as never

const record: NonNullable<Signals['record']> = {
  runs: 1,
  successes: 1,
  similarRuns: 0,
  similarSuccesses: 0,
  medianSeconds: null,
  estimate: 0.9,
  speaks: 'for' as const,
}

const original = (duplicates: readonly string[]) => scored(broken, 1, { duplicates, record })

/** @param behind - what only the second, deeper search finds */
const found = async (shown: readonly ScoredCard[], behind: readonly ScoredCard[] = []) => {
  const answer = await searchForRunning(
    { kind: 'agent', query: 'x', filter: { hasRuntime: true } },
    async ({ enough }) => answerOf('agent', enough === false ? [...shown, ...behind] : shown),
    { plan, cards: async (ids) => [held, lent, copy].filter(({ id }) => ids.includes(id)) },
  )
  return answer.candidates.map(({ card, signals }) => ({ id: card.id, ...signals }))
}

test('a near-copy that can run takes the place of the one it was folded into, and not its record', async () => {
  const [first, ...others] = await found([original(['d/held', 'b/copy']), scored(further, 0.9)])
  expect(first).toMatchObject({ id: 'b/copy', duplicates: ['a/broken', 'd/held'] })
  expect(first).not.toHaveProperty('obstacle')
  expect(first).not.toHaveProperty('record')
  expect(others.map(({ id }) => id)).toEqual(['c/further'])
})

test('so does one that need only be allowed; without any the original says why', async () => {
  expect(await found([original(['d/held']), scored(further, 0.9)])).toMatchObject([
    { id: 'c/further' },
    { id: 'd/held', obstacle: { kind: 'permission' } },
  ])
  expect(await found([original([]), scored(further, 0.9)])).toMatchObject([
    { id: 'c/further' },
    { id: 'a/broken', obstacle: why },
  ])
})

test('an original that need only be allowed stands before its near-copy that must be too', async () => {
  expect(await found([scored(held, 1, { duplicates: ['e/lent'] })])).toMatchObject([{ id: 'd/held' }])
})

test('of what stands behind a near-copy comes in too, and none comes twice', async () => {
  expect(await found([scored(held, 1)], [original(['b/copy'])])).toMatchObject([{ id: 'b/copy' }])
  expect(
    await found([original(['b/copy']), scored(held, 1)], [original(['b/copy']), scored(further, 0.9)]),
  ).toMatchObject([{ id: 'b/copy' }, { id: 'c/further' }])
})
