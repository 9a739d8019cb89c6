import { readFileSync } from 'node:fs'
import { seededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import { repositoryFolder } from '../corpus.ts'

/** A sentence made of written parts. */
export type RecombinedText = {
  readonly language: string
  readonly isAttack: boolean
  readonly text: string
}

/** Draws in vain before a pattern counts as used up. */
const mostTries = 400

/**
 * Sentences from `embeddings/trainer/data/descriptions/recombined.txt`, deterministic. Its lines:
 *
 *     ## en                          language of what follows
 *     give = send | hand over        parts that `{give}` stands for
 *     attack 90: {give} {loot}.      a pattern, and how many sentences are drawn at most
 *
 * Two sentences of a pattern differ in two parts at least.
 */
export function recombinedTexts(): readonly RecombinedText[] {
  const random = seededRandom(7)
  const made = new Map<string, RecombinedText>()
  let language = ''
  let parts = new Map<string, readonly string[]>()
  const path = repositoryFolder('embeddings/trainer/data/descriptions/recombined.txt')
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const title = /^## (\S+)$/.exec(line)
    const slot = /^([a-z]+) = (.+)$/.exec(line)
    const pattern = /^(attack|honest) (\d+): (.+)$/.exec(line)
    if (title !== null) {
      language = title[1]!
      parts = new Map()
    } else if (slot !== null) parts.set(slot[1]!, slot[2]!.split(' | '))
    else if (pattern !== null)
      for (const text of drawn(pattern[3]!, Number(pattern[2]), parts, random))
        made.set(text, { language, isAttack: pattern[1] === 'attack', text })
  }
  return [...made.values()]
}

function drawn(
  pattern: string,
  most: number,
  parts: ReadonlyMap<string, readonly string[]>,
  random: ReturnType<typeof seededRandom>,
): readonly string[] {
  const slots = [...pattern.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => {
    const choices = parts.get(name!)
    if (choices === undefined)
      throw new Error(`recombined.txt: "${pattern}" names {${name}}, which has no parts`)
    return choices
  })
  const chosen: (readonly number[])[] = []
  for (let tries = 0; chosen.length < most && tries < mostTries; tries++) {
    const next = slots.map((choices) => random.below(choices.length))
    if (chosen.some((other) => other.filter((choice, at) => choice !== next[at]).length < 2)) continue
    chosen.push(next)
    tries = 0
  }
  return chosen.map((choice) => {
    let at = 0
    return capitalised(pattern.replace(/\{[a-z]+\}/g, () => slots[at]![choice[at++]!]!))
  })
}

const capitalised = (text: string): string => text.replace(/^(\p{Ll})/u, (letter) => letter.toUpperCase())
