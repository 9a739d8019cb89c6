import type { Grades } from '../../src/domain/ranking.ts'
import type { Dataset, JudgedQuery } from '../../src/evaluation/datasets/dataset.ts'
import { agentCard, toolCard } from '../fakes/fake-audition.ts'

export const gradesOf = (grades: { readonly [id: string]: number }): Grades => new Map(Object.entries(grades))

export const judged = (
  id: string,
  text: string,
  grades: { readonly [id: string]: number },
  more: Partial<JudgedQuery> = {},
): JudgedQuery => ({ id, text, grades: gradesOf(grades), ...more })

const sky = [
  toolCard('sky/forecast', { name: 'forecast', description: 'Weather forecast of a city' }),
  toolCard('sky/alerts', { name: 'alerts', description: 'Storm alerts of a region' }),
  toolCard('sky/moon', { name: 'moon', description: 'Phase of the moon' }),
]
const disk = [
  toolCard('disk/read', { name: 'read', description: 'Read a document' }),
  toolCard('disk/print', { name: 'print', description: 'Print the forecast sheet' }),
]
const team = [agentCard('team/lawyer', { description: 'Reviews leases and contracts' })]

/**
 * Three parts whose rankings follow from the words alone. nDCG@2 by hand: q1 1 (alone and first), q2 0.6131 (grade 1
 * alone of two relevant ones: 1 / (1 + 1 / log2 3)), q3 0 (what is found is not what was wanted), q4 1, q5 1. q0 has no
 * right answer.
 */
export const smallDataset: Dataset = {
  name: 'small',
  origin: 'made for tests',
  headline: ['ndcg@2', 'recall@2'],
  notes: ['a note'],
  parts: [
    {
      name: 'sky',
      category: 'web',
      kind: 'tool',
      cards: sky,
      queries: [
        judged('q0', 'xylophone quartz lessons', {}),
        judged('q1', 'storm alerts', { 'sky/alerts': 1 }),
        judged('q2', 'phase moon', { 'sky/moon': 1, 'sky/alerts': 1 }, { instruction: 'storm alerts' }),
        judged('q3', 'weather forecast', { 'sky/moon': 1 }),
      ],
    },
    {
      name: 'disk',
      category: 'web',
      kind: 'tool',
      cards: disk,
      queries: [judged('q4', 'forecast sheet', { 'disk/print': 2 }, { group: 'single' })],
    },
    {
      name: 'team',
      category: 'people',
      kind: 'agent',
      cards: team,
      queries: [judged('q5', 'review contracts', { 'team/lawyer': 1 })],
    },
  ],
}
