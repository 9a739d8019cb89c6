import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backboneFactors } from '../../src/assembling/backbones.ts'
import { candidatesOf, mostHeld, ordered, seedSets, toolsetScore } from '../../src/assembling/candidates.ts'
import type { ToolEvidence } from '../../src/assembling/tool-evidence.ts'
import { tool } from './scripted-search.ts'

const evidence = (need: number, ...serves: readonly number[]): ToolEvidence => ({
  card: tool('a/b'),
  need,
  serves,
})
const anyTools = fc.array(
  fc
    .tuple(
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 }),
    )
    .map(([need, serves]) => evidence(need, ...serves)),
  { maxLength: 12 },
)

test('seeds are no tool, single ones, pairs, the best of each step, and the surest of each size', () => {
  const tools = [evidence(0.9, 0.9, 0), evidence(0.5, 0.1, 0.2), evidence(0.4, 0, 0.8)]
  const seeds = new Set(seedSets(tools).map((set) => set.join()))
  expect([...seeds].sort()).toEqual(['', '0', '0,1', '0,1,2', '0,2', '1', '1,2', '2'].sort())
})

test('candidates are at most 120, each once, of at most eight tools, and the order keeps them', () => {
  fc.assert(
    fc.property(anyTools, fc.integer({ min: 1, max: 10 }), (tools, backbones) => {
      const ofSet = toolsetScore(tools)
      const score = ({ tools: set }: { readonly tools: readonly number[] }) => ofSet(set)
      const all = candidatesOf({ tools, backbones, given: [] }, score)
      expect(all.length).toBeLessThanOrEqual(120)
      expect(new Set(all.map((one) => `${one.backbone} ${one.tools.join()}`)).size).toBe(all.length)
      expect(Math.max(...all.map(({ tools: set }) => set.length))).toBeLessThanOrEqual(mostHeld)
      const first = ordered(all, score, { tools, k: 10 })
      expect(first[0]!.score).toBe(Math.max(...all.map(score)))
      expect(first.length).toBe(Math.min(10, all.length))
    }),
  )
})

test('one change is tried on a seed: another backbone, a tool more, a tool less', () => {
  const tools = Array.from({ length: 12 }, (_, at) => evidence(0.5 - at / 30, 0.5))
  const all = candidatesOf(
    { tools, backbones: 5, given: [{ backbone: 4, tools: [0, 9] }] },
    ({ backbone }) => (backbone === 4 ? 1 : 0),
  )
  const keys = all.map(({ backbone, tools: set }) => `${backbone}:${set.join()}`)
  expect(keys).toEqual(expect.arrayContaining(['4:0,9', '4:9', '4:0', '4:0,9,11', '0:0,9']))
})

describe('the score of a set', () => {
  const tools = [evidence(0.9, 0.9, 0), evidence(0.8, 0, 0.9), evidence(0.02, 0.1, 0)]
  const score = toolsetScore(tools)
  test.each([
    { why: 'serving both steps beats serving one', better: [0, 1], worse: [0] },
    { why: 'a superfluous tool costs', better: [0, 1], worse: [0, 1, 2] },
    { why: 'the needed tool beats the superfluous one (swap)', better: [0, 1], worse: [1, 2] },
    { why: 'some tool beats none where tools are needed', better: [0], worse: [] },
  ])('$why', ({ better, worse }) => {
    expect(score(better)).toBeGreaterThan(score(worse))
  })

  test('a tool that may be needed joins a set that is made, and not one that is judged', () => {
    const [made, judged] = [3, 1].map((beta) => toolsetScore([...tools, evidence(0.3, 0.2, 0.2)], beta))
    expect(made!([0, 1, 3])).toBeGreaterThan(made!([0, 1]))
    expect(judged!([0, 1, 3])).toBeLessThan(judged!([0, 1]))
  })

  test('lies between 0 and 1, and no tool is right as far as none is needed', () => {
    fc.assert(
      fc.property(anyTools, (some) => {
        const of = toolsetScore(some)
        for (const set of seedSets(some)) {
          expect(of(set)).toBeGreaterThanOrEqual(0)
          expect(of(set)).toBeLessThanOrEqual(1 + 1e-9)
        }
      }),
    )
    expect(toolsetScore([evidence(0.25, 0.2)])([])).toBeCloseTo(0.75)
  })
})

test('a backbone that is worth less in the task takes a little', () => {
  const backbone = { name: 'm' }
  const [best, worse = 1, worst = 1] = backboneFactors([0.8, 0.5, -3].map((score) => ({ backbone, score })))
  expect(best).toBe(1)
  expect(worse).toBeCloseTo(0.955)
  expect(worst).toBe(0.85)
})
