/** What a word of a language without spaces becomes before its endings, which are small words: 書く is 書い before て. */
export function inflectedForms(form: string, language: string): readonly string[] {
  if (language === 'ja') return ofJapanese(form)
  return language === 'ko' ? ofKorean(form) : []
}

/** Rows of the vowels a, i, e and o, and what stands before て or で, for each last letter of a verb. */
const japaneseRows: { readonly [letter: string]: string } = {
  う: 'わいえおっ',
  つ: 'たちてとっ',
  る: 'らりれろっ',
  く: 'かきけこい',
  ぐ: 'がぎげごい',
  す: 'さしせそし',
  ぬ: 'なにねのん',
  ぶ: 'ばびべぼん',
  む: 'まみめもん',
}
const japaneseVerb = /\p{sc=Han}\p{sc=Hira}{0,3}[うつるくぐすぬぶむ]$|^\p{sc=Hira}{3,5}[うつるくぐすぬぶむ]$/u
/** る behind one of these goes: 調べる is 調べ before て. */
const oneStem = /[いきぎしじちにびみりえけげせぜてでねべめれ]る$/u
const japaneseAdjective = /[\p{sc=Han}しかき]い$/u

function ofJapanese(form: string): readonly string[] {
  const stem = form.slice(0, -1)
  if (form.endsWith('する')) return [form.slice(0, -2)]
  if (japaneseAdjective.test(form)) return [`${stem}く`, `${stem}かっ`]
  if (!japaneseVerb.test(form)) return []
  if (oneStem.test(form)) return [stem, `${stem}れ`, `${stem}よ`]
  return Array.from(japaneseRows[form.at(-1)!]!, (letter) => stem + letter)
}

const firstSyllable = 0xac00
const finals = 28
const vowels = 21
/** Places of vowels and finals within a syllable. */
const vowel = { a: 0, ae: 1, eo: 4, yeo: 6, o: 8, wa: 9, oe: 11, wae: 10, u: 13, wo: 14, eu: 18, i: 20 }
const final = { none: 0, n: 4, d: 7, l: 8, b: 17, s: 19, ss: 20 }
/** Vowels that one of the past flows into. */
const flowing = new Map([
  ...[vowel.a, vowel.ae, vowel.eo, 5, vowel.yeo].map((same) => [same, same] as const),
  ...([
    [vowel.o, vowel.wa],
    [vowel.u, vowel.wo],
    [vowel.i, vowel.yeo],
    [vowel.oe, vowel.wae],
  ] as const),
])

type Syllable = { readonly first: number; readonly vowel: number; readonly final: number }

function syllableOf(letter: string): Syllable {
  const code = letter.charCodeAt(0) - firstSyllable
  return {
    first: Math.floor(code / finals / vowels),
    vowel: Math.floor(code / finals) % vowels,
    final: code % finals,
  }
}
const written = ({ first, vowel, final }: Syllable): string =>
  String.fromCharCode(firstSyllable + (first * vowels + vowel) * finals + final)

const isBright = ({ vowel: at }: Syllable): boolean => at === vowel.a || at === vowel.o

/** Of a verb or an adjective by its form with 다: 보내다 is 보낸, 보낼, 보냅 and 보냈 too. */
function ofKorean(form: string): readonly string[] {
  if (!/^[가-힣]+다$/u.test(form)) return []
  const stem = form.slice(0, -1)
  if (stem.endsWith('하')) return stem.length > 2 ? [stem.slice(0, -1)] : []
  const before = stem.slice(0, -1)
  const last = syllableOf(stem.at(-1)!)
  const ending = (final: number): string => before + written({ ...last, final })
  const soft = pastOf(before, last)
  const past = soft.map((each) =>
    syllableOf(each.at(-1)!).final === final.none
      ? each.slice(0, -1) + written({ ...syllableOf(each.at(-1)!), final: final.ss })
      : each,
  )
  const isOpen = last.final === final.none
  const bare = last.final === final.l ? ending(final.none) : stem
  const others =
    isOpen || last.final === final.l
      ? [ending(final.n), ending(final.l), ending(final.b), `${bare}는`]
      : [`${stem}은`, `${stem}을`, `${stem}으`, `${stem}는`]
  const all = [stem, ...soft, ...past, ...others, ...['고', '기', '면', '려'].map((end) => stem + end)]
  // One syllable is part of too much.
  const within = (each: string): readonly string[] =>
    past.includes(each) ? [`${each}어`, `${each}는`] : soft.includes(each) ? [`${each}줘`, `${each}서`] : []
  return all.flatMap((each) => (each.length > 1 ? [each] : within(each)))
}

/** Before 줘, and with another final before 어: 줄이 is 줄여, 고르 골라, 찾 찾아, 돕 도와, 듣 들어. */
function pastOf(before: string, last: Syllable): readonly string[] {
  const bright = (syllable: Syllable, one = '아', other = '어'): string => (isBright(syllable) ? one : other)
  if (last.final !== final.none) {
    const changed = new Map([
      [final.d, [before + written({ ...last, final: final.l }) + bright(last)]],
      [final.s, [before + written({ ...last, final: final.none }) + bright(last)]],
      [final.b, ['와', '워'].map((end) => before + written({ ...last, final: final.none }) + end)],
    ])
    return [before + written(last) + bright(last), ...(changed.get(last.final) ?? [])]
  }
  const flown = flowing.get(last.vowel)
  if (flown !== undefined) return [before + written({ ...last, vowel: flown })]
  if (last.vowel !== vowel.eu) return [`${before}${written(last)}어`]
  const previous = before === '' ? undefined : syllableOf(before.at(-1)!)
  const isDark = previous === undefined || !isBright(previous)
  const plain = before + written({ ...last, vowel: isDark ? vowel.eo : vowel.a })
  if (previous === undefined || written(last) !== '르') return [plain]
  const doubled = before.slice(0, -1) + written({ ...previous, final: final.l })
  return [doubled + (isDark ? '러' : '라'), plain]
}
