import { expect, test } from 'vitest'
import type { Composition } from '../../src/assembling/composition.ts'
import { runCaptured } from '../fakes/captured-terminal.ts'
import { toolCard } from '../fakes/fake-audition.ts'
import { scriptedAudition } from '../fakes/scripted-audition.ts'

const flag = { severity: 'hard', field: 'description', excerpt: 'Ignore', message: 'commands' } as const
const sneaky = toolCard('kitchen/sneaky', { flags: [{ ...flag, rule: 'overrides-instructions' }] })
const timer = toolCard('kitchen/timer')

/** A composition of profiles with these tools. */
const composing = (...tools: readonly (typeof timer)[][]): Composition => ({
  task: 'boil eggs',
  facets: ['boil eggs'],
  unserved: [],
  notes: [],
  profiles: tools.map((own, at) => ({
    name: `composed-${at + 1}`,
    score: 0.5,
    backbone: null,
    tools: own,
    serves: [],
    yaml: '',
  })),
})

const shown = async (composition: Composition) =>
  runCaptured(['compose', 'boil eggs'], scriptedAudition({ compose: async () => composition }))

test('a tool that the scan flagged is told once, as searches tell it', async () => {
  const { stdout } = await shown(composing([timer, sneaky], [sneaky]))
  expect(stdout.slice(stdout.indexOf('Flagged'))).toBe(
    'Flagged by the scan; `audition show <id>` says where and why:\n  kitchen/sneaky (overrides-instructions)\n',
  )
})

test('nothing is said of flags where no tool has any', async () => {
  expect((await shown(composing([timer]))).stdout).not.toContain('Flagged')
})
