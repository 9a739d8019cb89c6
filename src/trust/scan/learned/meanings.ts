import { once } from '../../../domain/once.ts'
import { readData } from '../../../read-data.ts'
import { wordForm } from '../phrases/phrases.ts'
import type data from './meanings.json'

/**
 * Words by what they mean in a text that instructs, so that what was learned of one holds for its like. `foreign` are those of languages
 * of which only these are known; of Chinese and Japanese, written without spaces, they are looked for wherever they stand. `*` stands for
 * any ending; a word belongs to the first class that names it.
 */
type MeaningFile = {
  readonly words: { readonly [meaning: string]: string }
  readonly foreign: { readonly [meaning: string]: string }
}

const file = once((): MeaningFile => readData<typeof data>(new URL('./meanings.json', import.meta.url)))

/** Words whole, and the beginnings of others by their first three letters. */
const classes = once(() => {
  const exact = new Map<string, string>()
  const byStart = new Map<string, (readonly [start: string, meaning: string])[]>()
  const { words, foreign } = file()
  for (const [meaning, list] of [...Object.entries(words), ...Object.entries(foreign)]) {
    for (const word of list.split(' ')) {
      const form = wordForm(word.replace(/\*$/, ''))
      if (!word.endsWith('*')) {
        if (!exact.has(form)) exact.set(form, meaning)
        continue
      }
      const known = byStart.get(form.slice(0, 3))
      if (known === undefined) byStart.set(form.slice(0, 3), [[form, meaning]])
      else known.push([form, meaning])
    }
  }
  return { exact, byStart }
})

/** The class of a folded word, or undefined. */
export function meaningOf(form: string): string | undefined {
  const { exact, byStart } = classes()
  return exact.get(form) ?? byStart.get(form.slice(0, 3))?.find(([start]) => form.startsWith(start))?.[1]
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u

/** Foreign words that are written without spaces, and the most characters that one has. */
export const unspacedWords = once((): { readonly words: ReadonlySet<string>; readonly longest: number } => {
  const words = Object.values(file().foreign)
    .flatMap((list) => list.split(' '))
    .filter((word) => word.length > 1 && unspaced.test(word))
  return { words: new Set(words), longest: Math.max(...words.map(({ length }) => length)) }
})
