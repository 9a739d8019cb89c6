/** Endings, and those of the base forms that they may come of; the likelier first. All without accents. */
type Endings = readonly (readonly [endings: string, bases: string])[]

const tables: { readonly [language: string]: Endings } = {
  de: [
    ['e en em er es n s', '-'],
    ['e er en es st ste sten stem ster', '- e'],
    ['e st t et est te ten tet test', 'en n'],
    ['end ende enden endem ender endes', 'en'],
  ],
  fr: [
    ['s x e es', '-'],
    ['aux', 'al'],
    ['ve ves', 'f'],
    ['euse euses', 'eux eur'],
    ['lle lles nne nnes tte ttes', 'l n t'],
    ['e es ons ez ent ais ait ions iez aient ai as a ames erent ee ees ant', 'er r'],
    ['erai eras era erons erez eront erais erait erions eriez eraient', 'er'],
    ['ie ies ient oie oies oient uie', 'yer oyer uyer'],
    ['lle lles llent tte ttes ttent', 'ler ter'],
    ['is it issons issez issent isse issait issant i ie ies irai ira irez irons irait', 'ir'],
    ['s t ons ez ent ais ait aient ant u ue us ues rai ra rez rons rait e', 're'],
  ],
  es: [
    ['s es', '-'],
    ['a as os es', 'o -'],
    ['ces', 'z'],
    ['o as a amos ais an e aste aron aba abas aban abamos es emos en ando ado ada ados adas ara aran', 'ar'],
    ['que ques quen quemos', 'car'],
    ['gue gues guen guemos', 'gar'],
    ['ce ces cen cemos', 'zar'],
    ['o es e emos imos en i iste io ieron ia ias ian a as amos an iendo ido ida idos idas iera', 'er ir'],
    ['re ras ra remos ran ria rias rian riamos', 'r'],
  ],
  pt: [
    ['s es', '-'],
    ['a as os', 'o -'],
    ['oes aes', 'ao'],
    ['ais eis ois', 'al el ol'],
    ['ns', 'm'],
    ['o as a amos ais am e ei aste ou aram ava avas avam es emos em ando ado ada ados adas', 'ar'],
    ['que ques quem quemos quei', 'car'],
    ['gue gues guem guemos guei', 'gar'],
    [
      'o es e emos imos em i este eu iu eram iram ia ias iam a as amos am endo indo ido ida idos idas',
      'er ir',
    ],
    ['ja jas jamos jam jo', 'ger gir'],
    ['rei ras ra remos rao ria rias riam riamos res rem rmos', 'r'],
  ],
  it: [
    ['i', 'o e'],
    ['e a', 'a o'],
    ['chi ghi', 'co go'],
    ['che ghe', 'ca ga'],
    ['o i a iamo ate ano ai asti arono avo avi ava avano ando ato ata ati ate ino', 'are iare'],
    ['chi chiamo chino', 'care'],
    ['ghi ghiamo ghino', 'gare'],
    ['ero erai era eremo erete eranno erei erebbe', 'are iare ere'],
    ['o i e iamo ete ono ei etti uto uta uti ute endo evo evi eva evano a ano', 'ere'],
    [
      'o i e iamo ite ono ii ito ita iti ite endo ivo iva ivano isco isci isce iscono isca iscano iro ira',
      'ire',
    ],
  ],
}

/** Letters that a base has before its ending, at least. */
const leastStem = 2

/** Vowels that a verb has where its base has others. */
const vowels: { readonly [language: string]: readonly (readonly [RegExp, string])[] } = {
  es: [
    [/ie(?=[^aeiou]{1,3}[aei]r$)/, 'e'],
    [/ue(?=[^aeiou]{1,3}[aei]r$)/, 'o'],
    [/i(?=[^aeiou]{1,3}ir$)/, 'e'],
  ],
}

/** Pronouns behind a verb, as one word with it: "mandaselo", "rimettilo". */
const pronouns: { readonly [language: string]: RegExp } = {
  es: /(?<=.{3})(?:(?:me|te|se|nos)?(?:l[oae]s?)|me|te|se|nos)$/u,
  it: /(?<=.{3})(?:(?:[mtcvs]e|glie)?(?:l[oaie]|ne)|[mtcvs]i|gli)$/u,
}

/** What stands before German verbs, as one word with them or at the end of the clause. */
const particle =
  'ab|an|auf|aus|bei|durch|ein|fest|fort|frei|her|heran|heraus|herein|herunter|hervor|hin|hinzu|hoch|los|mit|nach|nieder|raus|' +
  'rein|runter|statt|um|voraus|vor|vorbei|weg|weiter|wieder|zu|zurueck|zuruck|zusammen'
const particles: ReadonlySet<string> = new Set(particle.split('|'))
export const isParticle = (word: string): boolean => particles.has(word)
/** "hochzuladen", "umbenannt", "gespeichert". */
const withinVerb = new RegExp(`^(${particle})?(?:zu|ge)(?=.{4})`, 'u')

/** What a word may be a form of, the likeliest first: without the pronouns behind it or with an ending that it lacks, and by its ending. */
type Bases = { readonly joined: readonly string[]; readonly byEnding: readonly string[] }

export function basesOf(word: string, language: string): Bases {
  if (language === 'de') {
    const verb = word.replace(withinVerb, '$1')
    const within = verb === word ? [] : [verb, ...basesByEnding(verb, language)]
    return { joined: [`${word}e`, `${word}en`], byEnding: [...basesByEnding(word, language), ...within] }
  }
  const verb = word.replace(pronouns[language] ?? '', '')
  const joined = verb === word ? [] : [verb, `${verb}e`, `${verb}re`]
  return {
    joined,
    byEnding: [...basesByEnding(word, language), ...(verb === word ? [] : basesByEnding(verb, language))],
  }
}

function basesByEnding(word: string, language: string): readonly string[] {
  const found: string[] = []
  for (const [endings, bases] of tables[language] ?? []) {
    for (const ending of endings.split(' ')) {
      const stem = word.endsWith(ending) ? word.slice(0, word.length - ending.length) : ''
      if (stem.length < leastStem) continue
      for (const base of bases.split(' ')) found.push(stem + base.replace('-', ''))
    }
  }
  const changed = found.flatMap((base) =>
    (vowels[language] ?? []).map(([from, to]) => base.replace(from, to)).filter((other) => other !== base),
  )
  return [...found, ...changed]
}
