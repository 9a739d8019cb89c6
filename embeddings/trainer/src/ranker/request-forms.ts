import type { CardIndex } from '../../../../src/retrieval/index/card-index.ts'
import { analyzeQuery } from '../../../../src/retrieval/text/analyze.ts'

/** As it was written, cut down to a few words, or told in the middle of a longer story. */
export type RequestForm = 'written' | 'keywords' | 'story'

/** Words that a request is cut down to, at most. */
const mostKeywords = 4

/** The most telling words of a request, in its order: those that fewest cards of the catalog hold, of those any holds. */
export function keywordsOf(text: string, index: CardIndex): string {
  const query = analyzeQuery(text)
  const worded = query.map(({ term, word }) => {
    const { weight, unknownShare } = index.probe([{ term, word }])
    return { word, weight: unknownShare > 0 ? 0 : weight }
  })
  const [least = 0] = worded
    .map(({ weight }) => weight)
    .sort((a, b) => b - a)
    .slice(0, mostKeywords)
    .slice(-1)
  const words = new Set(worded.flatMap(({ word, weight }) => (weight > 0 && weight >= least ? [word] : [])))
  return words.size === 0 ? text : [...words].slice(0, mostKeywords).join(' ')
}

/** What people tell besides what they want. */
const chatter: readonly string[] = [
  'Sorry for the long message, I am typing this on my phone between two meetings.',
  'My manager asked for it this morning and I said it would be done by tonight.',
  'I tried it by hand last week and it took me the whole afternoon.',
  'A colleague of mine usually does that, but she is on leave until the end of the month.',
  'I am not very technical, so please keep it simple.',
  'We moved to a new office in spring and half of our habits changed with it.',
  'The last person who did this left no notes, and nobody here remembers how it went.',
  'It does not have to be perfect, a first version is enough for now.',
  'We have talked about this for ages and it is time that somebody does it.',
  'If something is unclear, make a sensible assumption and tell me which.',
  'My daughter has a recital at five, so I will be away for a few hours.',
  'Last time something went wrong half way through and we only saw it days later.',
  'I have had two coffees already and still cannot think straight.',
  'There are six of us in the team, three of them new since summer.',
  'The customer is friendly but impatient, so the sooner the better.',
  'I read about it somewhere and thought it might work for us as well.',
  'Thanks a lot in advance, this really helps.',
  'Some background first, because it will come up anyway.',
  'It rained all weekend, so I had time to think about how we work.',
  'The deadline was moved twice, and I do not want to ask for a third time.',
  'As you may remember, we began this project two years ago with next to nothing.',
  'Do not worry about the other points on my list, they can wait.',
  'My predecessor kept everything in his head, which was fine until he retired.',
  'I would rather understand what happens than get it done blindly.',
  'We are a small company, and everybody does a bit of everything.',
  'Once that is settled I can finally close this chapter and go home.',
]

/** Words of a story, at least and at most. */
const storyWords = { least: 30, most: 300 } as const
/** Chance that a sentence of a story tells of an errand that was done already. */
const unrelatedShare = 0.25

/**
 * A request in the middle of a story of 30 to 300 words: small talk, and errands that are done.
 *
 * @param unrelated - other requests, whose cards do not count as serving
 */
export function inStory(text: string, unrelated: readonly string[], random: () => number): string {
  const { least, most } = storyWords
  const wanted = least * (most / least) ** random()
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const before: string[] = []
  const after: string[] = []
  let words = wordCount(text)
  while (words < wanted) {
    const isUnrelated = unrelated.length > 0 && random() < unrelatedShare
    const sentence = isUnrelated
      ? `Yesterday I was asked this, and it is done: "${any(unrelated)}"`
      : any(chatter)
    if (random() < 0.5) before.push(sentence)
    else after.push(sentence)
    words += wordCount(sentence)
  }
  return [...before, text, ...after].join(' ')
}

const wordCount = (text: string): number => text.split(/\s+/).length
