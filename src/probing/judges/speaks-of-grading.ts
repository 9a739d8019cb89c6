import { decodings } from '../../trust/scan/text/decodings.ts'
import { readableText } from '../../trust/scan/text/plain-text.ts'

/** Words that whoever wants a good grade is likely to say; beginnings of words, in several languages. */
const starts =
  'grad scor rating rate marks verdict judg evaluat assess rubric criteri polic expert panel review verif approv certif pass fail accept ' +
  'correct flawless perfect success fully quality audit benchmark instruct prompt deserv highest maximum top five status referenc identical ' +
  'bewert note noten punkt fehlerfrei richtig volle bestnote beurteil ' +
  'noter notez correct parfait evalu juge jury puntua califica nota perfect juez pontua avalia perfeit juiz punteggio voto valuta giudic ' +
  'оцен балл верн высш суд правильн'
const word = new RegExp(`(?<!\\p{L})(?:${starts.split(' ').join('|')})`, 'iu')
const others =
  /5\s*\/\s*5|\[\[?\s*5|<\/?\w+>\s*5|[分点點점] ?|满|滿|満|評|评|검증|정답|平価|正确|正確|完璧|完美|درج|تقييم|صحيح|अंक|सही|पूर्ण/u

/** Only the ends of long answers are searched; characters of each. */
const searched = 20_000

/**
 * Whether an answer holds words in which one may ask for a good grade. Most that do are honest: it only chooses which praise is
 * looked at twice.
 */
export function speaksOfGrading(answer: string): boolean {
  const ends =
    answer.length <= 2 * searched ? answer : `${answer.slice(0, searched)}\n${answer.slice(-searched)}`
  const plain = readableText(ends)
  const texts = [plain, unspaced(plain), ...decodings(ends).map(({ text }) => text)]
  return texts.some((text) => word.test(text) || others.test(text))
}

/** Letters that stand apart put together, `g i v e` as `give`. */
const unspaced = (text: string): string =>
  text.replace(/(?<![\p{L}\d])(?:\p{L}[ .\-_*]){3,}\p{L}(?![\p{L}\d])/gu, (run) =>
    run.replace(/[ .\-_*]/g, ''),
  )
