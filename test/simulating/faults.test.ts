import { describe, expect, test } from 'vitest'
import { compiledSchema } from '../../src/probing/judges/compiled-schema.ts'
import { faultsOf, faultsOfSession, spoiled } from '../../src/simulating/faults.ts'
import { notes, structuredAnswer } from './simulation.ts'

describe('faultsOf', () => {
  test.each([
    ['latency=200ms', { latency: 200 }],
    ['latency=1.5s, errors=0.1', { latency: 1500, errors: 0.1 }],
    ['empty=0.05,wrong-schema=0.95', { empty: 0.05, 'wrong-schema': 0.95 }],
  ])('%s', (text, expected) => {
    expect(faultsOf(text)).toEqual(expected)
  })

  test.each([
    ['', 'names none'],
    ['latency=200', 'latency is no time'],
    ['latency=1h', 'latency is no time'],
    ['errors=10%', 'no share'],
    ['errors=', 'no share'],
    ['errors=-0.1', 'no share'],
    ['errors=0.8,empty=0.4', 'more than 1'],
    ['crash=0.1', 'names none'],
  ])('%j is refused: %s', (text, expected) => {
    expect(() => faultsOf(text)).toThrow(expected)
  })
})

describe('the faults of a session', () => {
  const faults = { errors: 0.2, empty: 0.1, 'wrong-schema': 0.1 }
  const calls = Array.from({ length: 500 }, (_, at) => ({ at: at % 250 }))
  const drawn = (seed: number, order = calls) => {
    const session = faultsOfSession(faults, seed)
    return new Map(order.map((args, place) => [`${args.at} ${place}`, session.draw('list_notes', args)]))
  }

  test('come as often as was asked', () => {
    const all = [...drawn(1).values()]
    const share = (fault: string) => all.filter((one) => one === fault).length / all.length
    expect(share('errors')).toBeCloseTo(0.2, 1)
    expect(share('empty')).toBeCloseTo(0.1, 1)
    expect(share('wrong-schema')).toBeCloseTo(0.1, 1)
  })

  test('are the same for the same seed and calls, and others for another seed', () => {
    expect([...drawn(1)]).toEqual([...drawn(1)])
    expect([...drawn(1).values()]).not.toEqual([...drawn(2).values()])
  })

  test('do not hang on the order of different calls; the same call made again is drawn anew', () => {
    const first = calls.slice(0, 250)
    const byCall = (order: typeof calls) => {
      const session = faultsOfSession(faults, 3)
      return Object.fromEntries(order.map((args) => [args.at, session.draw('list_notes', args)]))
    }
    expect(byCall([...first].reverse())).toEqual(byCall(first))
    const all = [...drawn(3).values()]
    expect(all.slice(0, 250)).not.toEqual(all.slice(250))
  })

  test('are none where none were asked for', () => {
    expect(faultsOfSession({ latency: 1 }, 1).draw('list_notes', {})).toBeNull()
  })
})

describe('a spoiled answer', () => {
  const answer = structuredAnswer({ notes: [{ id: 'n1', title: 'milk' }], count: 1 })
  const admits = compiledSchema(notes[3]!.outputSchema!)

  test('is empty, in its shape', () => {
    const empty = spoiled(answer, 'empty')
    expect(empty).toEqual({ content: [], structured: { notes: [], count: 1 }, failed: false })
  })

  test('is in another shape than the output schema promises', () => {
    const { structured } = spoiled(answer, 'wrong-schema')
    expect(admits(structured!).admitted).toBe(false)
  })

  test('breaks off where there is only text', () => {
    const text = { content: [{ type: 'text', text: '{"id": 1}' }], failed: false }
    expect(spoiled(text, 'wrong-schema').content).toEqual([{ type: 'text', text: '{"id"' }])
  })
})
