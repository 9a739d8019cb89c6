import type { JsonValue } from '../../src/domain/json.ts'
import type { ModelReply, ModelRequest } from './model-server.ts'

/** What a model that writes tasks was asked, as its prompts show it. */
export type TaskQuestion = {
  readonly kind: 'write' | 'judge' | 'rewrite' | 'call' | 'merge' | 'entails' | 'goal' | 'meets' | 'instruct'
  /** Lines of each fence, without their marks, in order. */
  readonly shown: readonly string[]
  /** The words outside of the fences. */
  readonly said: string
}

const begins: readonly (readonly [string, TaskQuestion['kind']])[] = [
  ['You write tasks', 'write'],
  ['You judge whether', 'judge'],
  ['You mend a task', 'rewrite'],
  ['You say with which', 'call'],
  ['You merge tasks', 'merge'],
  ['You judge entailment', 'entails'],
  ['You name the goal', 'goal'],
  ['You say for each', 'meets'],
  ['You write an instruction', 'instruct'],
]

/** Reads a request of the task writer. */
export function taskQuestion({ body }: Pick<ModelRequest, 'body'>): TaskQuestion {
  const messages = body.messages as readonly { readonly content: JsonValue }[]
  const [system = '', prompt = ''] = messages.map(({ content }) =>
    typeof content === 'string' ? content : JSON.stringify(content),
  )
  const kind = begins.find(([beginning]) => system.startsWith(beginning))?.[1]
  if (kind === undefined)
    throw new Error(`The script knows no question that begins "${system.slice(0, 60)}".`)
  const shown = [...prompt.matchAll(/<<<BEGIN \w+ \w+>>>\n([\s\S]*?)\n<<<END \w+ \w+>>>/g)].map(
    ([, lines = '']) =>
      lines
        .split('\n')
        .map((line) => line.slice(2))
        .join('\n'),
  )
  return { kind, shown, said: prompt.replace(/<<<BEGIN[\s\S]*?<<<END \w+ \w+>>>/g, '') }
}

/** Words of a card in an order that repeats none of its phrases. */
export const wordsOf = (card: string, most = 8, from = 0): string => {
  const words = [...new Set(card.toLowerCase().match(/[a-z]{4,}/g))].sort(
    (a, b) => a.length - b.length || (a < b ? -1 : 1),
  )
  return Array.from(
    { length: Math.min(most, words.length) },
    (_, at) => words[(from + at) % words.length],
  ).join(' ')
}

/** A model that does all it is asked, well. */
export function goodAnswer({ kind, shown, said }: TaskQuestion): JsonValue {
  const [first = '', second = ''] = shown
  switch (kind) {
    case 'write': {
      const turn = Number(/^(\d+) tasks were written/m.exec(said)?.[1] ?? 0)
      return {
        task: `${openings[turn] ?? turn}: ${wordsOf(first, 6, 6 * turn)}`,
        arguments: null,
        expect: null,
      }
    }
    case 'rewrite':
      return { task: `Once more: ${wordsOf(first)}, ${wordsOf(second, 3)}`, arguments: null, expect: null }
    case 'judge':
      return { score: 1, missing: '' }
    case 'call':
      return { arguments: '{}' }
    case 'merge':
      return { task: shown.join(' And then. ') }
    case 'entails':
      return { score: first.includes(second) ? 1 : 0 }
    case 'goal':
      return {
        goal: `Reach what ${wordsOf(first, 4)} are for`,
        criteria: ['a', 'e', 'i', 'o', 'u'].map((letter) => `has words with ${letter}`),
      }
    case 'meets':
      return { scores: ['aa', 'ee', 'ill', 'oo', 'ur'].map((part) => (first.includes(part) ? 1 : 0)) }
    case 'instruct':
      return {
        instruction: `Given a \`desk\` task, retrieve tools that ${wordsOf(second, 4)} by processing words to answers.`,
      }
  }
}

const openings = ['I need', 'Could you do', 'Get going with', 'My boss asks for', 'We wonder about', 'Now']

export const replyOf = (answer: JsonValue): ModelReply => ({
  text: JSON.stringify(answer),
  tokens: { input: 700, output: 50 },
})
