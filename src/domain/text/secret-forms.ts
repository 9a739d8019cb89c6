/**
 * Values whose letters and digits are fewer are looked for as they are written only: in another form eight of them are no chance any more.
 */
const shortest = 8

/** Signs that stand for another, and codes of addresses that were coded again (`%2541`): `%41`, `\u0041`, `\x41`, `&#65;`, `&#x41;`; and `0x` before a byte. */
const codes =
  /%(?:25)*([\da-f]{2})|\\u([\da-f]{4})|\\x([\da-f]{2})|&#(\d{2,7});|&#x([\da-f]{1,6});|0x(?=[\da-f]{2}(?![\da-z]))/gi
const letterOrDigit = /[\p{L}\p{N}]/u

/** A text as it is compared: letters and digits in lower case, codes undone, and where each of them stands. */
type View = { readonly letters: string; readonly starts: readonly number[]; readonly ends: readonly number[] }

function viewOf(text: string): View {
  const letters: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  const add = (piece: string, start: number, end: number | null): void => {
    let at = start
    for (const character of piece) {
      const next = at + character.length
      if (letterOrDigit.test(character)) {
        const lower = character.toLowerCase()
        letters.push(lower)
        for (let unit = 0; unit < lower.length; unit++) {
          starts.push(end === null ? at : start)
          ends.push(end ?? next)
        }
      }
      at = next
    }
  }
  let done = 0
  for (const found of text.matchAll(codes)) {
    const [code, percent, unicode, byte, decimal, hexadecimal] = found
    add(text.slice(done, found.index), done, null)
    done = found.index + code.length
    const hex = percent ?? unicode ?? byte ?? hexadecimal
    const point = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
    if (point < 0x110000) add(String.fromCodePoint(point), found.index, done)
  }
  add(text.slice(done), done, null)
  return { letters: letters.join(''), starts, ends }
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
    ...[...encoded, ...twiceEncoded(value)].map((form) => form.replace(/[^A-Za-z\d]/g, '').toLowerCase()),
  ].filter((form) => form.length >= shortest)
}

/** What base64 and hexadecimal make of a text that is in one of them already, in either alphabet and case. */
function twiceEncoded(value: string): readonly string[] {
  const hexadecimal = Buffer.from(value, 'utf8').toString('hex')
  const once = new Set([
    ...base64Forms(value).flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
    ...[hexadecimal, hexadecimal.toUpperCase()],
  ])
  return [...once].flatMap((form) => [...base64Forms(form), Buffer.from(form, 'utf8').toString('hex')])
}

/** A stretch of code goes on to both sides with letters of the same alphabet. */
const ofCode = /[A-Za-z\d+/_=-]/

/**
 * Where a text holds one of the values in another form: reversed, in base64 or base64url, in hexadecimal, in two of these one after the other, with codes of addresses, JSON or
 * HTML, in other case, or with signs and spaces in between. Ascending, none overlaps another.
 */
export function placesOfForms(
  text: string,
  values: Iterable<string>,
): readonly { readonly start: number; readonly end: number }[] {
  const forms = new Set([...values].flatMap(formsOf))
  if (forms.size === 0) return []
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
