/**
 * Values whose letters and digits are fewer are looked for as they are written only: in another form eight of them are no chance any more.
 */
const shortest = 8

/** Signs that stand for another, and codes of addresses that were coded again (`%2541`): `%41`, `\u0041`, `\x41`, `&#65;`, `&#x41;`; and `0x` before a byte. */
const codes =
  /%(?:25)*([\da-f]{2})|\\u([\da-f]{4})|\\x([\da-f]{2})|&#(\d{2,7});|&#x([\da-f]{1,6});|0x(?=[\da-f]{2}(?![\da-z]))/gi
const letterOrDigit = /[\p{L}\p{N}]/u

/** A text as it is compared: letters and digits in lower case, codes undone, and where each of them stands. */
type View = { readonly letters: string; readonly starts: Uint32Array; readonly ends: Uint32Array }

/** Numbers in rows, not lists of strings: of a long text those are more than the memory of a young program and of the processor hold. */
function viewOf(text: string): View {
  const view = new ViewWriter(text)
  let done = 0
  for (const found of text.matchAll(codes)) {
    const [code, percent, unicode, byte, decimal, hexadecimal] = found
    view.addPiece(done, found.index)
    done = found.index + code.length
    const hex = percent ?? unicode ?? byte ?? hexadecimal
    const point = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
    if (point < 0x110000) view.add(point, found.index, done)
  }
  view.addPiece(done, text.length)
  return view.written()
}

class ViewWriter {
  readonly #text: string
  #units: Uint16Array
  #starts: Uint32Array
  #ends: Uint32Array
  #length = 0

  constructor(text: string) {
    this.#text = text
    this.#units = new Uint16Array(text.length + 1)
    this.#starts = new Uint32Array(text.length + 1)
    this.#ends = new Uint32Array(text.length + 1)
  }

  /** A piece of the text as it is written. */
  addPiece(from: number, to: number): void {
    for (let at = from; at < to; ) {
      const point = this.#text.codePointAt(at)!
      // A piece may end within a pair.
      const next = Math.min(to, at + (point > 0xffff ? 2 : 1))
      this.add(next - at === 1 && point > 0xffff ? this.#text.charCodeAt(at) : point, at, next)
      at = next
    }
  }

  /** A character, and where in the text it stands; signs are left out. */
  add(point: number, start: number, end: number): void {
    if (point < 0x80) {
      const isCapital = point >= 65 && point <= 90
      if (isCapital || (point >= 97 && point <= 122) || (point >= 48 && point <= 57))
        this.#put(isCapital ? point + 32 : point, start, end)
      return
    }
    // Wide, bold and circled letters are the plain ones.
    for (const character of String.fromCodePoint(point).normalize('NFKC').toLowerCase()) {
      if (!letterOrDigit.test(character)) continue
      for (let unit = 0; unit < character.length; unit++) this.#put(character.charCodeAt(unit), start, end)
    }
  }

  #put(unit: number, start: number, end: number): void {
    const at = this.#length++
    if (at === this.#units.length) this.#grow()
    this.#units[at] = unit
    this.#starts[at] = start
    this.#ends[at] = end
  }

  /** Few letters are two in lower case. */
  #grow(): void {
    const size = 2 * this.#units.length
    const [units, starts, ends] = [new Uint16Array(size), new Uint32Array(size), new Uint32Array(size)]
    units.set(this.#units)
    starts.set(this.#starts)
    ends.set(this.#ends)
    this.#units = units
    this.#starts = starts
    this.#ends = ends
  }

  written(): View {
    const letters = Buffer.from(this.#units.buffer, 0, 2 * this.#length).toString('utf16le')
    return { letters, starts: this.#starts, ends: this.#ends }
  }
}

const lettersOf = (text: string): string => viewOf(text).letters
const reversed = (text: string): string => [...text].reverse().join('')

/** What base64 makes of bytes, wherever in a longer text they stand: three ways, without what their neighbours change. */
function base64Forms(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8')
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+/, '')
    const first = Math.ceil((offset * 8) / 6)
    return encoded.slice(first, Math.floor(((offset + bytes.length) * 8) / 6))
  })
}

/** Forms of one value as they stand in a {@link View}; none of a short one. */
function formsOf(value: string): readonly string[] {
  const letters = lettersOf(value)
  if (letters.length < shortest) return []
  const encoded = [value, reversed(value)].flatMap((one) => [
    ...base64Forms(one),
    Buffer.from(one, 'utf8').toString('hex'),
  ])
  return [
    letters,
    reversed(letters),
    ...[...encoded, ...encoded.map(reversed), ...twiceEncoded(value)].map((form) =>
      form.replace(/[^A-Za-z\d]/g, '').toLowerCase(),
    ),
  ].filter((form) => form.length >= shortest)
}

/** What base64 and hexadecimal make of a text that is in one of them already, in either alphabet and case. */
function twiceEncoded(value: string): readonly string[] {
  const hexadecimal = Buffer.from(value, 'utf8').toString('hex')
  const once = new Set([
    ...base64Forms(value).flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
    hexadecimal,
    hexadecimal.toUpperCase(),
  ])
  return [...once].flatMap((form) => [...base64Forms(form), Buffer.from(form, 'utf8').toString('hex')])
}

/** A stretch of code goes on to both sides with letters of the same alphabet. */
const ofCode = /[A-Za-z\d+/_=-]/

/** Where a text has something, ascending; none overlaps another. */
type Places = readonly { readonly start: number; readonly end: number }[]

/**
 * Finds where a text holds one of the values in another form: reversed, in base64 or base64url, in hexadecimal, in two of these one after the other, with codes of addresses, JSON or
 * HTML, in other case, or with signs and spaces in between.
 */
export function formFinder(values: Iterable<string>): (text: string) => Places {
  const forms = new Set([...values].flatMap(formsOf))
  return (text) => (forms.size === 0 ? [] : placesIn(text, forms))
}

function placesIn(text: string, forms: ReadonlySet<string>): Places {
  const { letters, starts, ends } = viewOf(text)
  const found: { start: number; end: number }[] = []
  for (const form of forms) {
    for (let at = letters.indexOf(form); at >= 0; at = letters.indexOf(form, at + form.length)) {
      let start = starts[at]!
      let end = ends[at + form.length - 1]!
      while (start > 0 && text[start - 1] !== '=' && ofCode.test(text[start - 1]!)) start -= 1
      while (end < text.length && ofCode.test(text[end]!)) end += 1
      found.push({ start, end })
    }
  }
  found.sort((a, b) => a.start - b.start)
  const merged: { start: number; end: number }[] = []
  for (const place of found) {
    const last = merged.at(-1)
    if (last !== undefined && place.start <= last.end) last.end = Math.max(last.end, place.end)
    else merged.push(place)
  }
  return merged
}
