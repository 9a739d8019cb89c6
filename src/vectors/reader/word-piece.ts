/** Splits texts into tokens. */
export type WordPiece = {
  /** Pieces of the vocabulary. */
  readonly size: number
  /**
   * @param limit - most tokens, the two that stand at the ends among them; >= 2
   * @returns numbers of pieces. Takes time in proportion to the limit, however long the text
   */
  tokens(text: string, limit: number): readonly number[]
}

/** Characters of a text that are read, for each token that may come of it. */
const charactersPerToken = 64
/** A longer word is unknown. */
const longestWord = 100
const continued = '##'

type Pieces = {
  readonly ids: ReadonlyMap<string, number>
  /** Length of the longest piece, in UTF-16 units. */
  readonly longest: number
  readonly unknown: number
}

/**
 * Greedy longest match, as in BERT, with three differences: only a character that no piece begins with is unknown, not its whole
 * word; a word goes on with a piece that begins words where there is no other of one character; and scripts without spaces are
 * matched by pieces that begin words.
 *
 * @param vocabulary - one piece a line; those that go on with a word begin with `##`
 * @param file - its name in the words of errors
 * @throws Error when [UNK], [CLS] or [SEP] is missing
 * @see Devlin, Chang, Lee & Toutanova, NAACL 2019
 */
export function wordPiece(vocabulary: string, file: string): WordPiece {
  const lines = vocabulary.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const ids = new Map(lines.map((piece, id) => [piece, id]))
  const special = (piece: string): number => {
    const id = ids.get(piece)
    if (id === undefined) throw new Error(`${file}: there is no line "${piece}".`)
    return id
  }
  const [unknown, first, last] = [special('[UNK]'), special('[CLS]'), special('[SEP]')]
  const lengthOf = (piece: string): number =>
    piece.startsWith(continued) ? piece.length - continued.length : piece.length
  const longest = lines.reduce((most, piece) => Math.max(most, lengthOf(piece)), 0)
  const pieces: Pieces = { ids, longest, unknown }
  return {
    size: lines.length,
    tokens(text, limit) {
      const tokens = [first]
      for (const { text: word, isUnspaced } of wordsOfText(beginning(text, charactersPerToken * limit))) {
        tokens.push(...piecesOf(word, isUnspaced ? '' : continued, pieces))
        if (tokens.length >= limit - 1) break
      }
      return [...tokens.slice(0, limit - 1), last]
    },
  }
}

/** The first characters, none cut in two. */
const beginning = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('')

/** @param prefix - of pieces that go on with a word */
function piecesOf(word: string, prefix: string, { ids, longest, unknown }: Pieces): readonly number[] {
  if (word.length > longestWord && [...word].length > longestWord) return [unknown]
  const found: number[] = []
  let at = 0
  while (at < word.length) {
    const before = at === 0 ? '' : prefix
    let end = Math.min(word.length, at + longest)
    let id: number | undefined
    for (; end > at; end--) {
      id = ids.get(before + word.slice(at, end))
      if (id !== undefined) break
    }
    if (id === undefined) {
      const character = String.fromCodePoint(word.codePointAt(at)!)
      id = ids.get(character) ?? unknown
      end = at + character.length
    }
    if (id !== unknown || found.at(-1) !== unknown) found.push(id)
    at = end
  }
  return found
}

/** A word, and whether it is of Han, Hiragana or Katakana, which are written without spaces. */
type TextWord = { readonly text: string; readonly isUnspaced: boolean }

/** Accents, Arabic vowel signs and the mark that stretches a word. */
const marks = /[\u0300-\u036f\u064b-\u0652\u0670\u0640]/g
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu
const space = /\p{White_Space}+/u
/** A sign by itself, a run of a script without spaces, or a run of anything else. */
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\u3005\\u3099\\u309a'
const parts = new RegExp(`[\\p{P}\\p{S}]|[${unspaced}]+|[^\\p{P}\\p{S}${unspaced}]+`, 'gu')
const beginsUnspaced = new RegExp(`^[${unspaced}]`, 'u')

/**
 * Words as a word-piece vocabulary knows them: compatible forms made one, lower case, without accents and what is not seen; signs of
 * punctuation and symbols are words. Of plain English it is what BERT's uncased models read.
 */
export function* wordsOfText(text: string): Generator<TextWord> {
  for (const word of plain(text).split(space))
    for (const [part] of word.matchAll(parts)) yield { text: part, isUnspaced: beginsUnspaced.test(part) }
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(marks, '')
    .normalize('NFC')
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(unseen, '')
