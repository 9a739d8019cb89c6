import { type Bench, type Floor, atMost } from '../../../bench/bench.ts'
import { shippedModel } from '../../../bench/static-model-folder.ts'
import {
  type Guise,
  type HonestOutcome,
  guises,
  harmOf,
  honestOutcomes,
  meanOf,
  mostLost,
  mostMoved,
} from './measure.ts'

/** What the defences do to honest publishers: by rights, nothing. */
export const honest: Bench = {
  name: 'honest',
  question: 'What do the defences against cards written to be found cost honest publishers who write oddly?',
  async run(workplace) {
    const model = await shippedModel()
    const models = model === null ? [null] : [null, model]
    const rows: string[][] = []
    const floors: Floor[] = []
    for (const guise of Object.keys(guises) as Guise[]) {
      for (const embedding of models) {
        for (const pack of ['ranking', 'diverse'] as const) {
          const by = embedding === null ? 'by words alone' : 'by the model that ships'
          const what = pack === 'ranking' ? 'the bare ranking' : 'answers as hosts get them'
          workplace.log(`honest: ${guise}, ${by}, ${what}`)
          const outcomes = await honestOutcomes(guise, embedding, pack)
          const { lost, moved } = harmOf(outcomes)
          rows.push(rowOf([guise, by, what, 'all'], outcomes))
          for (const [kind, own] of byKind(outcomes)) rows.push(rowOf(['', '', '', kind], own))
          const name = `${guise}, ${by}, ${what}`
          floors.push(
            atMost(`${name}: nDCG@10 lost`, mostLost, lost),
            atMost(`${name}: places moved down`, mostMoved, moved),
          )
        }
      }
    }
    await model?.close()
    return {
      tables: [
        {
          title: 'Honest requests of honest sources, without and with the defences',
          head: ['sources are', '', '', 'cases', 'n', 'nDCG@10 without', 'lost', 'most places down'],
          rows,
        },
      ],
      notes: [
        'installed: the sources are the user’s own. stranger: all of them are strangers, so that every defence may act.',
        'Every card is honest, so that none may move down: not only those that serve.',
      ],
      floors,
    }
  },
}

function byKind(outcomes: readonly HonestOutcome[]): ReadonlyMap<string, readonly HonestOutcome[]> {
  const groups = new Map<string, HonestOutcome[]>()
  for (const outcome of outcomes) {
    const { kind } = outcome.asked
    groups.set(kind, [...(groups.get(kind) ?? []), outcome])
  }
  return groups
}

function rowOf(names: readonly string[], outcomes: readonly HonestOutcome[]): string[] {
  const { lost, moved } = harmOf(outcomes)
  return [
    ...names,
    String(outcomes.length),
    meanOf(outcomes.map(({ undefended }) => undefended)).toFixed(1),
    lost.toFixed(2),
    String(moved),
  ]
}
