import { basesOfArabic } from './arabic-bases.ts'
import { basesOf } from './bases-of-word.ts'
import type { Glossary, Language } from './glossary.ts'

type Senses = readonly string[]

/** English for one word between spaces, inflected or joined as its language does; undefined where it is not known. */
export function sensesOfWord(word: string, glossary: Glossary, language: Language): Senses | undefined {
  const exact = glossary.exactly(word)
  // Words of English stand in requests of every language.
  if (exact !== undefined || word.length < 3 || glossary.english.has(word)) return exact
  if (language === 'ar') return sensesOfArabic(word, glossary)
  if (language === 'ru') return glossary.byStem(word) ?? glossary.nearly(word)
  const { joined, byEnding } = basesOf(word, language)
  for (const base of [...joined, ...byEnding])
    if (glossary.exactly(base)?.length) return glossary.exactly(base)
  for (const base of [word, ...joined]) if (glossary.nearly(base)) return glossary.nearly(base)
  return language === 'de' ? sensesOfCompound(word, glossary) : undefined
}

/** Letters by which German joins the words of a compound. */
const joints = ['', 's', 'n', 'en', 'es', 'er'] as const
/** Letters that each of them has at least. */
const leastPart = 3

/** "Rechnungsnummer": two known words. */
function sensesOfCompound(word: string, glossary: Glossary): Senses | undefined {
  for (let cut = word.length - leastPart; cut >= leastPart; cut--) {
    const rest = word.slice(cut)
    const end = partOf(rest, glossary) ?? (rest.length > leastPart + 1 ? glossary.nearly(rest) : undefined)
    const beginning = end?.length ? beginningOf(word.slice(0, cut), glossary) : undefined
    if (beginning) return [`${beginning} ${end![0]}`]
  }
  return undefined
}

function beginningOf(letters: string, glossary: Glossary): string | undefined {
  for (const joint of joints) {
    const stem = letters.endsWith(joint) ? letters.slice(0, letters.length - joint.length) : ''
    const senses =
      stem.length < leastPart ? undefined : (partOf(stem, glossary) ?? partOf(`${stem}e`, glossary))
    if (senses?.length) return senses[0]
  }
  return undefined
}

const partOf = (form: string, { exactly, functionWords }: Glossary): Senses | undefined =>
  functionWords.has(form) ? undefined : exactly(form)

/** Small words stand behind "and" and prepositions alone. */
function sensesOfArabic(word: string, { exactly, functionWords }: Glossary): Senses | undefined {
  for (const base of basesOfArabic(word)) {
    const isSmall = functionWords.has(base)
    if (isSmall && !(word.endsWith(base) && word.length - base.length === 1)) continue
    const senses = exactly(base)
    if (senses?.length || (senses && isSmall)) return senses
  }
  return undefined
}
