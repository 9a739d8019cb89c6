import type { SeededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import type { Attack } from '../attack.ts'
import { generalWords, range, tellingWords } from '../words.ts'
import { chunks, clauses, imperative, thirdPerson, wanted } from './phrasing.ts'
import { toolTalk } from './tool-talk.ts'
import { named, rotated, roundOf } from '../turns.ts'

type Section = { readonly title: string; readonly text: string }

const sectionsOf = (random: SeededRandom, text: string): readonly Section[] => [
  { title: 'Overview', text: toolTalk(random, 2).join(' ') },
  {
    title: 'Usage',
    text: clauses(text)
      .map((clause) => `${imperative(clause)}.`)
      .join(' '),
  },
  { title: 'Limits', text: toolTalk(random, 2).join(' ') },
  {
    title: 'Questions',
    text: clauses(text)
      .map((clause) => `What happens when ${thirdPerson(clause)}? This is supported.`)
      .join(' '),
  },
]

/** A short description over a long manual, in which the request stands as usage and as questions. */
export const manual: Attack = {
  name: 'manual',
  describes:
    'a short description; the request as usage and as questions in a long documentation, its words as tags',
  drafts: (targets, count, { random }) =>
    range(count).map((place) => {
      const { text } = rotated(targets, place)
      const words = generalWords(wanted(text))
      const sections = sectionsOf(random, text)
      return {
        name: named(words.slice(0, 2)),
        description: `Tools for ${words.slice(0, 4).join(', ') || 'any task'}. ${toolTalk(random, 1).join('')}`,
        documentation:
          roundOf(targets, place) % 2 === 0
            ? sections.map((section) => `## ${section.title}\n\n${section.text}`).join('\n\n')
            : Object.fromEntries(sections.map((section) => [section.title.toLowerCase(), section.text])),
        tags: chunks(tellingWords(wanted(text)), 2).map((pair) => pair.join(' ').toLowerCase()),
      }
    }),
}
