import { describe, expect, test } from 'vitest'
import { opinionOn } from '../../../../src/trust/scan/learned/second-opinion.ts'
import { type NoticedSentence, opinionSettings, trainOpinion } from './train-second-opinion.ts'

const settings = { ...opinionSettings, hidden: 4, units: 3, epochs: 60, rate: 0.05 }

/** Of two to four tokens; an attack has one whose second value is high, wherever it stands. */
const sentences = Array.from({ length: 200 }, (_, at): NoticedSentence => {
  const isAttack = at % 2 === 0
  const tokens = 2 + (at % 3)
  const rows = Float32Array.from({ length: 4 * tokens }, (_value, place) => Math.sin(at * 7 + place * 3) / 3)
  if (isAttack) rows[4 * (at % tokens) + 1] = 2
  return { rows, score: 0, isAttack }
})

describe('training of the second opinion', () => {
  const head = trainOpinion(sentences, settings)

  test('hears a token wherever it stands', () => {
    const right = sentences.filter(({ rows, isAttack }) => opinionOn(head, rows) > 0 === isAttack)
    expect(right.length).toBeGreaterThan(190)
  })

  test('the same sentences give the same head, another beginning does not', () => {
    expect(trainOpinion(sentences, settings)).toEqual(head)
    expect(trainOpinion(sentences, { ...settings, seed: 2 })).not.toEqual(head)
  })
})
