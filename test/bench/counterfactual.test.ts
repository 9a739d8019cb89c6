import { expect, test } from 'vitest'
import { edits, variantsOf } from '../../bench/counterfactual/edits.ts'
import type { ToolCard } from '../../src/domain/card.ts'

const tool = (name: string): ToolCard => ({
  kind: 'tool',
  id: `set/${name}`,
  source: 'set',
  name,
  description: `Does ${name}.`,
  examples: [],
  tags: [],
  parameters: [],
  provenance: { reader: 'test', location: 'test' },
})

test('an edit of the right agent changes one thing, and no name', () => {
  const variants = variantsOf('q', {
    backbones: ['best', 'second', 'third'],
    needed: [tool('key'), tool('other'), tool('third')],
    irrelevant: tool('irrelevant'),
    redundant: tool('redundant'),
  })
  const told = Object.fromEntries(
    [...variants].map(([variant, { backbone, tools }]) => [
      variant,
      [backbone?.name, ...tools.map(({ name }) => name)].join(' '),
    ]),
  )
  expect(told).toEqual({
    full: 'best key other third',
    'swap the needed tool': 'best irrelevant other third',
    'remove the needed tool': 'best other third',
    'drop a secondary tool': 'best key third',
    'add an irrelevant tool': 'best key other third irrelevant',
    'add a redundant tool': 'best key other third redundant',
    'swap the backbone': 'second key other third',
  })
  expect(Object.keys(edits)).toHaveLength(variants.size - 1)
  expect(new Set([...variants.values()].map(({ name }) => name)).size).toBe(1)
  expect(new Set([...variants.values()].map(({ id }) => id)).size).toBe(variants.size)
})
