import type { Arsenal, Attack, HostileDraft, Target } from '../attack.ts'
import { range, snakeCase, wordsOf, tellingWords } from '../words.ts'
import { rotated } from '../turns.ts'

const mostWords = 24
const patience = 1e-3

/** Words worth trying for a request: its own, and those of the cards that serve it. */
const poolOf = ({ text, winners }: Target): string[] => [
  ...new Set([
    ...tellingWords(text).map((word) => word.toLowerCase()),
    ...winners
      .slice(0, 3)
      .flatMap(({ name, description }) => tellingWords(`${name.replaceAll('_', ' ')} ${description}`))
      .slice(0, 40)
      .map((word) => word.toLowerCase()),
  ]),
]

/** Adds the word that helps most until none helps: cosine of the model that ships, and rare words of the request held. */
async function optimised(target: Target, { cosine, rarity }: Arsenal, start: number): Promise<HostileDraft> {
  const wanted = new Map(tellingWords(target.text).map((word) => [word.toLowerCase(), rarity(word)]))
  const all = [...wanted.values()].reduce((sum, value) => sum + value, 0) || 1
  const worth = async (draft: HostileDraft): Promise<number> => {
    const held = new Set(wordsOf(draft.description).map((word) => word.toLowerCase()))
    const covered = [...wanted].reduce((sum, [word, value]) => sum + (held.has(word) ? value : 0), 0) / all
    return covered + (cosine === null ? 0 : await cosine(draft, target.text))
  }
  const pool = poolOf(target)
  const byRarity = [...wanted].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word)
  const name = snakeCase(byRarity.slice(0, 3))
  // Another first word for another card of the same target.
  let words = [pool[start % pool.length] ?? 'tool']
  let best = await worth({ name, description: words.join(' ') })
  while (words.length < mostWords) {
    let found: { words: string[]; worth: number } | undefined
    for (const word of pool) {
      if (words.includes(word)) continue
      const longer = [...words, word]
      const value = await worth({ name, description: longer.join(' ') })
      if (value > (found?.worth ?? best + patience)) found = { words: longer, worth: value }
    }
    if (found === undefined) break
    words = found.words
    best = found.worth
  }
  return { name, description: words.join(' ') }
}

/** Word choice against our own retriever. */
export const optimisedWords: Attack = {
  name: 'optimised',
  describes: 'words chosen greedily by the model that ships, for cosine and coverage of the request',
  drafts: (targets, count, arsenal) =>
    Promise.all(
      range(count).map((place) =>
        optimised(rotated(targets, place), arsenal, Math.floor(place / targets.length)),
      ),
    ),
}
