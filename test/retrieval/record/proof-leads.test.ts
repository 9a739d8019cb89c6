import { describe, expect, test } from 'vitest'
import type { ScoredCard } from '../../../src/retrieval/answer.ts'
import type { RankedCard } from '../../../src/retrieval/rank/ranked-card.ts'
import { type IndexedOutcome, recordIndex } from '../../../src/retrieval/record/record-index.ts'
import { recordEstimates } from '../../../src/retrieval/record/record-estimate.ts'
import { quantisedTask } from '../../../src/retrieval/record/task-vectors.ts'
import { speaks, weigh, type WeighScale } from '../../../src/retrieval/record/weigh.ts'
import { readyFirst } from '../../../src/probing/run/ready-first.ts'
import { agentCard, scored } from '../../fakes/sample-cards.ts'

/** How near the tasks of a record are to the request: cosines. */
const places = { same: 1, near: 0.7, far: 0.1 } as const

type Candidate = {
  /** Of the ranking before the record: a probability, or a share of the best. */
  readonly score: number
  /** `3/3 near`: worked 3 of 3 times on near tasks; `2 ungraded`. */
  readonly record?: string
  /** Its text has changed since. */
  readonly changed?: true
  /** Why it cannot run here. */
  readonly cannot?: 'permission' | 'setup'
}

type Case = {
  readonly why: string
  /** What the scores are. @defaultValue 'probability' */
  readonly scale?: WeighScale
  /** The answer is asked for running, and so many places are shown. */
  readonly toRun?: number
  readonly candidates: { readonly [name: string]: Candidate }
  readonly order: string
}

const cases: readonly Case[] = [
  // What was proven, and what nobody tried.
  {
    why: 'one that did this very task leads one that nobody tried',
    candidates: { a: { score: 0.6 }, b: { score: 0.5, record: '3/3 same' } },
    order: 'b a',
  },
  {
    why: 'one that worked on near tasks leads one that nobody tried',
    candidates: { a: { score: 0.6 }, b: { score: 0.4, record: '3/3 near' } },
    order: 'b a',
  },
  {
    why: 'the untried one is twice as probable, and that is not clear enough against three successes',
    candidates: { a: { score: 0.9 }, b: { score: 0.4, record: '3/3 same' } },
    order: 'b a',
  },
  {
    why: 'the untried one is clearly the better match',
    candidates: { a: { score: 0.9 }, b: { score: 0.2, record: '3/3 same' } },
    order: 'a b',
  },
  {
    why: 'what hardly matches stays down, however well it works',
    candidates: { a: { score: 0.9 }, b: { score: 0.05, record: '9/9 near' } },
    order: 'a b',
  },
  {
    why: 'one that works on other tasks leads its equal',
    candidates: { a: { score: 0.6 }, b: { score: 0.45, record: '3/3 far' } },
    order: 'b a',
  },
  {
    why: 'success in other tasks does not outweigh half the match',
    candidates: { a: { score: 0.8 }, b: { score: 0.4, record: '3/3 far' } },
    order: 'a b',
  },
  {
    why: 'one success on this very task tells',
    candidates: { a: { score: 0.6 }, b: { score: 0.4, record: '1/1 same' } },
    order: 'b a',
  },
  {
    why: 'one success is not yet a proof against a much better match',
    candidates: { a: { score: 0.8 }, b: { score: 0.3, record: '1/1 same' } },
    order: 'a b',
  },
  {
    why: 'an unseen catalog, where the ranker is sure of nothing: the proof decides',
    candidates: { a: { score: 0.05 }, b: { score: 0.03, record: '3/3 same' } },
    order: 'b a',
  },
  {
    why: 'an unseen catalog: a tenth of the match is clearly less',
    candidates: { a: { score: 0.05 }, b: { score: 0.004, record: '3/3 near' } },
    order: 'a b',
  },
  {
    why: 'of equals the one that worked anywhere leads',
    candidates: { a: { score: 0.5 }, b: { score: 0.5, record: '1/1 far' } },
    order: 'b a',
  },
  {
    why: 'three of three are more than two of three',
    candidates: { a: { score: 0.5, record: '2/3 same' }, b: { score: 0.5, record: '3/3 same' } },
    order: 'b a',
  },
  {
    why: 'three successes are more than one',
    candidates: { a: { score: 0.5, record: '1/1 near' }, b: { score: 0.45, record: '3/3 near' } },
    order: 'b a',
  },
  {
    why: 'near tasks tell more than far ones',
    candidates: { a: { score: 0.7, record: '3/3 far' }, b: { score: 0.6, record: '3/3 same' } },
    order: 'b a',
  },
  {
    why: 'both worked equally well: the better match leads',
    candidates: { a: { score: 0.7, record: '3/3 near' }, b: { score: 0.6, record: '3/3 near' } },
    order: 'a b',
  },
  {
    why: 'one of two speaks neither for nor against: it stays in front',
    candidates: { a: { score: 0.6, record: '1/2 same' }, b: { score: 0.5 } },
    order: 'a b',
  },
  {
    why: 'one of two speaks neither for nor against: it stays behind',
    candidates: { a: { score: 0.6 }, b: { score: 0.55, record: '1/2 same' } },
    order: 'a b',
  },
  {
    why: 'it worked before its text changed, which proves less',
    candidates: { a: { score: 0.85 }, b: { score: 0.4, record: '3/3 same', changed: true } },
    order: 'a b',
  },
  {
    why: 'runs that nobody graded say nothing',
    candidates: { a: { score: 0.6 }, b: { score: 0.55, record: '2 ungraded' } },
    order: 'a b',
  },
  // What failed.
  {
    why: 'one that failed falls below one that nobody tried',
    candidates: { a: { score: 0.6, record: '0/3 same' }, b: { score: 0.5 } },
    order: 'b a',
  },
  {
    why: 'one failure on this very task is enough for that',
    candidates: { a: { score: 0.7, record: '0/1 same' }, b: { score: 0.5 } },
    order: 'b a',
  },
  {
    why: 'three failures cost the best match its place before a poor one',
    candidates: { a: { score: 0.9, record: '0/3 same' }, b: { score: 0.1 } },
    order: 'b a',
  },
  {
    why: 'one success among three: a far better match is still worth a try before a poor one',
    candidates: { a: { score: 0.9, record: '1/3 same' }, b: { score: 0.2 } },
    order: 'a b',
  },
  {
    why: 'nothing untried falls below something that failed',
    candidates: { a: { score: 0.5 }, b: { score: 0.5, record: '0/1 far' } },
    order: 'a b',
  },
  {
    why: 'failing at everything else is a bad sign too',
    candidates: { a: { score: 0.6, record: '0/3 far' }, b: { score: 0.5 } },
    order: 'b a',
  },
  {
    why: 'of two that failed, the one that worked once leads',
    candidates: { a: { score: 0.6, record: '0/3 same' }, b: { score: 0.5, record: '1/3 same' } },
    order: 'b a',
  },
  {
    why: 'of two that failed alike, the better match leads',
    candidates: { a: { score: 0.6, record: '0/3 same' }, b: { score: 0.5, record: '0/3 same' } },
    order: 'a b',
  },
  {
    why: 'a probe of a shortlist: worked, untried, failed',
    candidates: {
      a: { score: 0.6 },
      b: { score: 0.55, record: '0/3 near' },
      c: { score: 0.5, record: '3/3 near' },
    },
    order: 'c a b',
  },
  {
    why: 'what is proven leads what failed, though that matched far better',
    candidates: { a: { score: 0.9, record: '0/3 near' }, b: { score: 0.3, record: '3/3 near' } },
    order: 'b a',
  },
  // Other scales.
  {
    why: 'by score shares: a proven one leads a comparable one',
    scale: 'share',
    candidates: { a: { score: 1 }, b: { score: 0.7, record: '3/3 same' } },
    order: 'b a',
  },
  {
    why: 'by score shares: a third of the score is clearly less',
    scale: 'share',
    candidates: { a: { score: 1 }, b: { score: 0.33, record: '3/3 same' } },
    order: 'a b',
  },
  {
    why: 'by score shares: success in other tasks counts little',
    scale: 'share',
    candidates: { a: { score: 1 }, b: { score: 0.7, record: '3/3 far' } },
    order: 'a b',
  },
  {
    why: 'scores that lie close together, as of a cross-encoder: a proven one leads a comparable one',
    scale: 'close',
    candidates: { a: { score: 1 }, b: { score: 0.75, record: '3/3 same' } },
    order: 'b a',
  },
  {
    why: 'scores that lie close together: the last of those that were read is no rival',
    scale: 'close',
    candidates: { a: { score: 1 }, b: { score: 0.55, record: '3/3 same' } },
    order: 'a b',
  },
  {
    why: 'scores that lie close together: what failed falls',
    scale: 'close',
    candidates: { a: { score: 0.9, record: '0/3 same' }, b: { score: 0.55 } },
    order: 'b a',
  },
  // Answers that are asked for running.
  {
    why: 'nobody asked for what can run: the better match leads',
    candidates: { a: { score: 0.9, cannot: 'setup' }, b: { score: 0.4 } },
    order: 'a b',
  },
  {
    why: 'asked for running, what cannot run here stands behind what can',
    toRun: 5,
    candidates: { a: { score: 0.9, cannot: 'setup' }, b: { score: 0.4 } },
    order: 'b a',
  },
  {
    why: 'asked for running, what is not permitted stands behind what is',
    toRun: 5,
    candidates: { a: { score: 0.6, cannot: 'permission' }, b: { score: 0.5 } },
    order: 'b a',
  },
  {
    why: 'a permission is sooner had than a missing model',
    toRun: 5,
    candidates: {
      a: { score: 0.9, cannot: 'setup' },
      b: { score: 0.6, cannot: 'permission' },
      c: { score: 0.5 },
    },
    order: 'c b a',
  },
  {
    why: 'the one that worked leads one that cannot even run here',
    toRun: 5,
    candidates: { a: { score: 0.9, cannot: 'setup' }, b: { score: 0.2, record: '3/3 near' } },
    order: 'b a',
  },
  {
    why: 'what worked once and cannot run now stands behind what can',
    toRun: 5,
    candidates: {
      a: { score: 0.7 },
      b: { score: 0.6, record: '3/3 near' },
      c: { score: 0.5, record: '3/3 near', cannot: 'setup' },
    },
    order: 'b a c',
  },
  {
    why: 'nothing untried falls below what failed, though it cannot run here',
    toRun: 5,
    candidates: { a: { score: 0.6, record: '0/3 same' }, b: { score: 0.5, cannot: 'setup' } },
    order: 'b a',
  },
  {
    why: 'what failed stands behind what can run and was not tried',
    toRun: 5,
    candidates: {
      a: { score: 0.9, record: '1/3 same' },
      b: { score: 0.5, cannot: 'setup' },
      c: { score: 0.2 },
    },
    order: 'c b a',
  },
  {
    why: 'a comparable one from behind takes the place of one that cannot run',
    toRun: 2,
    candidates: {
      a: { score: 0.9, cannot: 'setup' },
      b: { score: 0.8, cannot: 'setup' },
      c: { score: 0.6 },
    },
    order: 'c a',
  },
  {
    why: 'one from behind that hardly matches does not',
    toRun: 2,
    candidates: {
      a: { score: 0.9, cannot: 'setup' },
      b: { score: 0.8, cannot: 'setup' },
      c: { score: 0.1 },
    },
    order: 'a b',
  },
  {
    why: 'what hardly matches does not lead because it runs',
    toRun: 5,
    candidates: { a: { score: 0.9, cannot: 'permission' }, b: { score: 0.05 } },
    order: 'a b',
  },
  {
    why: 'nothing can run here: the order is that of the ranking',
    toRun: 5,
    candidates: { a: { score: 0.9, cannot: 'setup' }, b: { score: 0.8, cannot: 'setup' } },
    order: 'a b',
  },
]

const need = 'review a lease'
const model = { model: 'test', dimensions: 2 }

/** The outcomes of a candidate, from `3/3 near` or `2 ungraded`. */
function outcomesOf(name: string, { record = '', changed }: Candidate): readonly IndexedOutcome[] {
  const ungraded = /^(\d+) ungraded$/.exec(record)
  const graded = /^(\d+)\/(\d+) (\w+)$/.exec(record)
  const [successes, runs, place] =
    ungraded !== null
      ? [0, Number(ungraded[1]), 'same']
      : [Number(graded?.[1] ?? 0), Number(graded?.[2] ?? 0), graded?.[3] ?? 'same']
  const cosine = places[place as keyof typeof places]
  return Array.from({ length: runs }, (_, at) => ({
    id: `${name} ${at}`,
    card: name,
    cardHash: changed ? 'before' : 'today',
    task: cosine === 1 ? need : `${place} task ${at}`,
    ending: 'answered',
    seconds: 1,
    time: 0,
    grade: ungraded === null ? (at < successes ? 5 : 1) : null,
    vector: quantisedTask(Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2))),
  }))
}

function orderOf({ candidates, scale = 'probability', toRun }: Case): string {
  const names = Object.keys(candidates)
  const record = recordIndex(model)
  for (const name of names) record.add(outcomesOf(name, candidates[name]!))
  const known = recordEstimates(record, {
    need: { texts: [need], vectors: [Float32Array.of(1, 0)] },
    cards: names.filter((name) => record.has(name)).map((id) => ({ id, hash: 'today' })),
  })
  const ranked = names.map(
    (name, at): RankedCard => ({
      document: names.length - at,
      score: candidates[name]!.score,
      lexical: undefined,
      dense: undefined,
      lift: undefined,
      facets: [],
    }),
  )
  const nameOf = ({ document }: RankedCard): string => names[names.length - document]!
  const settings = { recordWeight: 2, exploration: 0, scale }
  const weighed = weigh(ranked, (card) => known.get(nameOf(card)) ?? null, settings)
  if (toRun === undefined) return weighed.map(nameOf).join(' ')
  const answer = weighed.map((card): ScoredCard => {
    const name = nameOf(card)
    const { cannot } = candidates[name]!
    const recorded = known.get(name)
    return scored(agentCard({ id: name }), card.score, {
      ...(cannot === undefined ? {} : { obstacle: obstacles[cannot] }),
      ...(recorded === undefined
        ? {}
        : { record: { ...recorded, medianSeconds: 1, speaks: speaks(recorded) } }),
    })
  })
  return readyFirst(answer.slice(0, toRun), answer.slice(toRun))
    .map(({ card }) => card.id)
    .join(' ')
}

const obstacles = {
  permission: { kind: 'permission', missing: ['command:/bin/a'], display: '/bin/a' },
  setup: { kind: 'runtime', message: 'no model is configured', remedy: 'Set AUDITION_LLM.' },
} as const

describe('the order that a person expects of scores, records and what can run', () => {
  test.each(cases)('$order: $why', (one) => {
    expect(orderOf(one)).toBe(one.order)
  })
})
