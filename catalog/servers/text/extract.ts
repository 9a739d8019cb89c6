const email =
  /(?<![\w.+-])[A-Za-z0-9](?:[\w.+-]{0,62}[A-Za-z0-9_+-])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}(?![\w-])/g
const url = /\bhttps?:\/\/[^\s<>"'`{}|\\^]+/gi
const number = /(?<![\w.,])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]|[.,]\d)/g

/** E-mail addresses in order of first appearance, each once, regardless of case. */
export const extractEmails = (text: string): readonly string[] =>
  distinct(text.match(email) ?? [], (address) => address.toLowerCase())

/** http and https addresses in order of first appearance, each once, without the punctuation that follows them. */
export const extractUrls = (text: string): readonly string[] =>
  distinct((text.match(url) ?? []).map(withoutTrailingPunctuation), (address) => address)

/** Numbers in order, repeats included. Commas are read as thousands, the point as decimal. */
export const extractNumbers = (text: string): readonly number[] =>
  (text.match(number) ?? []).map((written) => Number(written.replaceAll(',', '')))

function distinct(found: readonly string[], keyOf: (text: string) => string): readonly string[] {
  const seen = new Map<string, string>()
  for (const text of found) if (!seen.has(keyOf(text))) seen.set(keyOf(text), text)
  return [...seen.values()]
}

/** "(see https://a.example/b)." ends at b; a bracket stays when its partner is in the address. */
function withoutTrailingPunctuation(address: string): string {
  let kept = address
  for (;;) {
    const last = kept.at(-1) ?? ''
    const closes = { ')': '(', ']': '[' }[last]
    const isLoose =
      closes === undefined ? /[.,;:!?*]/.test(last) : kept.split(last).length > kept.split(closes).length
    if (!isLoose) return kept
    kept = kept.slice(0, -1)
  }
}
