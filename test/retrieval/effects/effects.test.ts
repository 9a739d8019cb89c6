import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { staticModel } from '../../../src/adapters/static-model/static-model.ts'
import { packageRoot } from '../../../src/package-root.ts'
import {
  type Effect,
  effectFactor,
  effectFit,
  effectShift,
  effects,
} from '../../../src/retrieval/effects/effect.ts'
import { requestEffect } from '../../../src/retrieval/effects/request-effect.ts'
import { toolEffect } from '../../../src/retrieval/effects/tool-effect.ts'
import { memorySnapshot } from '../../../src/retrieval/memory-snapshot.ts'
import type { CatalogSnapshot, EmbeddingModel } from '../../../src/retrieval/ports.ts'
import { search } from '../../../src/retrieval/search.ts'
import { agentCard, toolCard } from '../../fakes/fake-audition.ts'
import { type Asked, catalogs, requests } from './requests.ts'

test.each([
  ['which orders have no customer', 'reads'],
  ['how many rows are there', 'reads'],
  ['I want to know which files changed', 'reads'],
  ['are there orders to delete', 'reads'],
  ['zeige mir alle Rechnungen', 'reads'],
  ['Could you please send a mail to Bob?', 'changes'],
  ['how do I create an issue', 'changes'],
  ['a tool that writes files', 'changes'],
  ['find the duplicates and delete them', 'destroys'],
  ['is there a way to remove a branch', 'destroys'],
  ['my tap drips', undefined],
  ['', undefined],
] as const)('a request asks for an effect: %j %s', (text, expected) => {
  expect(requestEffect(text)).toBe(expected)
})

test.each([
  ['get_user', '', undefined, 'reads'],
  ['order_list', '', undefined, 'reads'],
  ['settings', 'Shows the settings.', undefined, 'reads'],
  ['list_deleted_items', '', undefined, 'reads'],
  ['insertMany', '', undefined, 'changes'],
  ['post_comment', '', undefined, 'changes'],
  ['order_remove', '', undefined, 'destroys'],
  ['weather', 'Sunshine and rain.', undefined, undefined],
  // What is declared counts before what is named.
  ['delete_preview', '', { readOnly: true }, 'reads'],
  ['fetch', '', { readOnly: false }, 'changes'],
  ['fetch', '', { destructive: true }, 'destroys'],
  ['update_row', '', { destructive: true }, 'changes'],
  ['delete_row', '', { readOnly: false }, 'destroys'],
] as const)('a tool has an effect: %s %j %j %s', (name, description, annotations, expected) => {
  expect(toolEffect(toolCard(`s/${name}`, { description, ...(annotations ? { annotations } : {}) }))).toBe(
    expected,
  )
})

test('an agent has none', () => expect(toolEffect(agentCard('s/delete_files'))).toBeUndefined())

test('the same effect fits best, what is not known neither fits nor fails, and nobody loses more than a bounded part', () => {
  const all: readonly (Effect | undefined)[] = [...effects, undefined]
  for (const asked of all) {
    for (const done of all) {
      const fit = effectFit(asked, done)
      if (asked === undefined || done === undefined) expect(fit).toBe(0)
      else if (asked === done) expect(fit).toBe(1)
      else expect(fit).toBeLessThan(0)
      expect(effectFactor(asked, done)).toBeGreaterThanOrEqual(0.85)
      expect(effectFactor(asked, done)).toBeLessThanOrEqual(1)
    }
  }
})

test('a learned score falls for tools that change something only where somebody asks to be told, more where they declare it', () => {
  expect(effectShift('reads', 'destroys', true)).toBe(-3)
  expect(effectShift('reads', 'destroys', false)).toBe(-1.2)
  expect(effectShift('reads', 'changes', true)).toBeGreaterThan(-3)
  for (const declared of [true, false]) {
    expect(effectShift('reads', 'reads', declared)).toBeCloseTo(0)
    expect(effectShift('reads', undefined, declared)).toBeCloseTo(0)
    expect(effectShift('changes', 'destroys', declared)).toBe(0)
    expect(effectShift(undefined, 'destroys', declared)).toBe(0)
  }
})

describe('sixty requests over small catalogs', () => {
  let model: EmbeddingModel
  const snapshots = new Map<Asked[0], CatalogSnapshot>()
  beforeAll(async () => {
    model = await staticModel(join(packageRoot, 'embeddings', 'audition-1'))
    for (const of of Object.keys(catalogs) as Asked[0][])
      snapshots.set(of, await memorySnapshot(catalogs[of], model))
  })
  /** Requests whose first candidate is none of those that serve, with that candidate. */
  const missed = async (ranker: 'lexical' | 'learned'): Promise<readonly string[]> => {
    const lines: string[] = []
    for (const [of, query, serving] of requests) {
      const found = await search({ snapshot: snapshots.get(of)!, model }, { kind: 'tool', query, ranker })
      const first = found.candidates[0]?.card.name ?? 'nothing'
      if (!serving.split(' ').includes(first)) lines.push(`${query}: ${first}`)
    }
    return lines
  }

  test('there are sixty, half of which only want to know', () => {
    expect(requests).toHaveLength(60)
    expect(requests.filter(([, query]) => requestEffect(query) === 'reads')).toHaveLength(30)
  })

  test('the learned ranker puts what serves first', async () => {
    const lines = await missed('learned')
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(6)
  })

  test('words alone do so mostly', async () => {
    const lines = await missed('lexical')
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(18)
  })
})
