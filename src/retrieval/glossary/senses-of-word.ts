import type { Glossary, Language } from './glossary.ts'
import { basesOf } from './stem-of-form.ts'

type Senses = readonly string[]

/** English for one word between spaces, inflected or joined as its language does; undefined where it is not known. */
export function sensesOfWord(word: string, glossary: Glossary, language: Language): Senses | undefined {
  const exact = glossary.exactly(word)
  // Words of English stand in requests of every language.
  if (exact !== undefined || word.length < 3 || glossary.english.has(word)) return exact
  if (language === 'ar') return sensesOfArabic(word, glossary)
  if (language === 'ru') return glossary.byStem(word) ?? glossary.nearly(word)
  const base = basesOf(word, language).find((form) => glossary.exactly(form)?.length)
  if (base !== undefined) return glossary.exactly(base)
  return glossary.nearly(word) ?? (language === 'de' ? sensesOfCompound(word, glossary) : undefined)
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

/** Article, prepositions and persons before an Arabic word, and pronouns and endings behind it. */
const before = [
  'وال',
  'بال',
  'كال',
  'فال',
  'ولل',
  'عال',
  'هال',
  'ال',
  'لل',
  'وب',
  'ول',
  'وس',
  'بي',
  'بت',
  'سي',
  'ست',
  'سن',
  'وي',
  'وت',
  'لي',
  'لت',
  'و',
  'ب',
  'ل',
  'ف',
  'ك',
  'س',
  'ي',
  'ت',
  'ن',
  'ا',
  '',
] as const
const after = ['', 'ها', 'هم', 'نا', 'كم', 'ات', 'ين', 'ون', 'ان', 'يه', 'ني', 'ه', 'ي', 'ك', 'ا'] as const

function sensesOfArabic(word: string, glossary: Glossary): Senses | undefined {
  const small = /^[وف]./u.test(word) ? word.slice(1) : ''
  if (glossary.functionWords.has(small)) return glossary.exactly(small)
  for (const begins of before) {
    if (!word.startsWith(begins)) continue
    for (const ends of after) {
      const stem = word.slice(begins.length, word.length - ends.length)
      const least = begins.endsWith('ال') && ends === '' ? 2 : 3
      const senses = stem.length >= least && word.endsWith(ends) ? glossary.exactly(stem) : undefined
      if (senses) return senses
    }
  }
  return glossary.byStem(word) ?? glossary.nearly(word)
}
