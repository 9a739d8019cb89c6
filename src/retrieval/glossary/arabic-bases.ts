/** What may be a part of an Arabic word, and what it costs to take it for one: the cheapest reading is tried first. */
type Part = readonly [letters: string, cost: number]

const partsOf = (list: string, cost: number): readonly Part[] =>
  list.split(' ').map((letters) => [letters, cost])
const none: Part = ['', 0]

const conjunctions: readonly Part[] = [none, ['و', 0.5], ['ف', 0.7]]
const articles = partsOf('ال بال كال لل عال هال', 0.1)
const prepositions: readonly Part[] = [none, ...partsOf('ب ل ك', 1)]
/** Of the future, of an aim, and of the spoken present. */
const beforePersons: readonly Part[] = [none, ...partsOf('س ل ب ح', 0.5)]
const persons = partsOf('ي ت ن ا', 0.5)

const possessives: readonly Part[] = [none, ...partsOf('ها هم هن نا كم ه ي ك', 1)]
const objects: readonly Part[] = [none, ...partsOf('ها هم ه ني نا لي لنا له لك', 1)]
/** Gender, number and case of nouns and adjectives. */
const ofNouns: readonly Part[] = [none, ...partsOf('ه ا ات ين ون ان ي يه تين تان', 0.6)]
/** Persons of the past, and of the present and imperative. */
const ofPast: readonly Part[] = [none, ...partsOf('ت تي تم نا وا و', 0.6)]
const ofPresent: readonly Part[] = [none, ...partsOf('ون وا ين و ي ن', 0.6)]

const least = 2
/** What a reading may cost that leaves two letters. */
const sureOfTwoLetters = 0.7

type Reading = { readonly base: string; readonly cost: number }

/** The word less one of the parts before it, or behind it. */
const withoutFirst = ({ base, cost }: Reading, parts: readonly Part[]): readonly Reading[] =>
  parts.flatMap(([letters, more]) =>
    base.startsWith(letters) && base.length - letters.length >= least
      ? [{ base: base.slice(letters.length), cost: cost + more }]
      : [],
  )
const withoutLast = ({ base, cost }: Reading, parts: readonly Part[]): readonly Reading[] =>
  parts.flatMap(([letters, more]) =>
    base.endsWith(letters) && base.length - letters.length >= least
      ? [{ base: base.slice(0, base.length - letters.length), cost: cost + more }]
      : [],
  )

/** Letters that change before an ending: رسالتي is of رسالة, شرائه of شراء, مستواه of مستوى. */
function restored({ base, cost }: Reading): readonly Reading[] {
  const also = (end: RegExp, letters: string): readonly Reading[] =>
    end.test(base) ? [{ base: base.replace(end, letters), cost: cost + 0.1 }] : []
  return [...also(/ت$/u, 'ه'), ...also(/ا[يو]$/u, 'اء'), ...also(/ا$/u, 'ي'), { base, cost: cost + 0.2 }]
}

function nounsOf(word: Reading): readonly Reading[] {
  const bare = withoutFirst(word, prepositions).flatMap((reading) =>
    withoutLast(reading, possessives).flatMap((owned) =>
      owned.base === reading.base ? [owned] : restored(owned),
    ),
  )
  return [...withoutFirst(word, articles), ...bare].flatMap((reading) =>
    withoutLast(reading, ofNouns).flatMap((noun) =>
      // مهمات and مهمتين are of مهمة.
      /(?:ات|ت[ياو]ن)$/u.test(reading.base) && noun !== reading
        ? [noun, { base: `${noun.base}ه`, cost: noun.cost + 0.1 }]
        : [noun],
    ),
  )
}

/** By the present, which the glossary has of most verbs, and by the past. */
function verbsOf(word: Reading): readonly Reading[] {
  const present = withoutFirst(word, beforePersons)
    .flatMap((reading) => withoutFirst(reading, persons))
    .flatMap((reading) => withoutLast(reading, objects))
    .flatMap((reading) => withoutLast(reading, ofPresent))
    .flatMap((stem) => presentsOf(stem.base, stem.cost))
  const past = withoutLast(word, objects)
    .flatMap((reading) => withoutLast(reading, ofPast))
    .flatMap(({ base, cost }) => [{ base, cost }, ...presentsOf(base.replace(/^ا/u, ''), cost + 0.8)])
  return [...present, ...past]
}

const presentsOf = (stem: string, cost: number): readonly Reading[] => [
  ...['ي', 'ت', 'ا', 'ن'].flatMap((person, more) => [
    { base: person + stem, cost: cost + more * 0.1 },
    // اشترِ is of اشتري.
    { base: `${person}${stem}ي`, cost: cost + more * 0.1 + 0.5 },
  ]),
  { base: stem, cost: cost + 1.2 },
]

/** What a folded Arabic word may be a form of, the likeliest first. */
export function basesOfArabic(word: string): readonly string[] {
  const readings = withoutFirst({ base: word, cost: 0 }, conjunctions).flatMap((reading) => [
    ...nounsOf(reading),
    ...verbsOf(reading),
  ])
  const likely = readings.filter(({ base, cost }) => base.length > 2 || cost <= sureOfTwoLetters)
  return [...new Set(likely.sort((one, other) => one.cost - other.cost).map(({ base }) => base))]
}
