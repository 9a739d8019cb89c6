import { formFinder } from './secret-forms.ts'

/** What stands in place of a secret. */
export const mask = '***'

/** Values shorter than this are never masked by value: `1`, `on` or `en` would blot out half of any text. */
const shortestKnownValue = 4

/** Words that make a variable, flag, header, field or query parameter a keeper of secrets. */
const secretWord =
  '(?:api[-_]?key|apikey|access[-_]?key|private[-_]?key|signing[-_]?key|token|secret|passw(?:or)?d|passwd|passphrase|pwd|credentials?|auth(?:orization|entication)?|bearer|cookie|session[-_]?id|signature|sig|dsn|connection[-_]?string|pat)'

const secretName = new RegExp(`(?:^|[-_.]|x)${secretWord}s?(?:$|[-_.\\d])|^key$|[-_]key$`, 'i')

/**
 * Whether the name of a variable, header, flag or query parameter says that its value is secret, as `GITHUB_TOKEN`,
 * `X-Api-Key`, `--password` and `accessToken` do. A name in camelCase is read word by word.
 */
export const isSecretName = (name: string): boolean =>
  secretName.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/^-+/, ''))

/** Tokens that show what they are by their shape, wherever they stand. */
const tokenShapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\beyJ[\w-]{8,1000}\.[\w-]{8,}(?:\.[\w-]*)?/g, // JSON Web Token
  /\b(?:gh[oprsu]|github_pat)_\w{16,}/g, // GitHub
  /\bglpat-[\w-]{16,}/g, // GitLab
  /\b(?:sk|rk|pk)[-_][\w-]{16,}/gi, // OpenAI, Anthropic, Stripe
  /\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}/g, // Slack
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z\d]{12,}/g, // AWS
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}/g, // Google
  /\b(?:npm|hf|gsk|ntn|secret|figd|dop_v1|shpat|lin_api|tvly|pypi|dckr_pat|nvapi|xai|r8|fc|ctx7sk)[-_][A-Za-z\d][\w-]{18,}/g,
  /\bSG\.[\w-]{16,200}\.[\w-]{16,}/g, // SendGrid
  /\bhv[sb]\.[\w-]{20,}/g, // Vault
  /\bAGE-SECRET-KEY-1[A-Z\d]{20,}/g,
  /\bwhsec_[\w+/=-]{16,}/g, // signatures of web hooks
  /\b\d{8,10}:[\w-]{35}(?![\w-])/g, // Telegram
  /(?<=\b(?:AccountKey|SharedAccessKey)=)[A-Za-z\d+/]{40,90}={0,2}/g, // Azure
]

/** `user:password@` of any URL; the user goes too, since many services put the token there. */
const urlUserinfo = /\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/?#@"'<>]+@/gi

/** The password of a URL alone. */
const urlPassword = /\b([a-z][a-z\d+.-]{1,20}:\/\/[^\s/?#@:"'<>]{0,100}:)[^\s/?#@"'<>${}*]{1,200}@/gi

/** Query parameters of URLs; whether the name is secret is asked per match. */
const queryValue = /([?&;])([\w.~%-]{1,64})=([^\s&;#"'<>]+)/g

/** The header itself: whatever follows its scheme is secret, words too. */
const authorizationHeader =
  /\b(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:Bearer|Basic|Token|ApiKey|Digest)\s{1,4})([^\s"'<>]+)/gi

/** A scheme of HTTP authorisation and its value. */
const authorization = /\b(Bearer|Basic|Token|ApiKey|Digest)(\s+|\s*:\s*)([\w.~+/=-]{6,})/gi

/** Segments of a URL's path that can only be a key: services hand out addresses that open without any other. */
const urlPath = /\b(https?:\/\/[^\s/?#"'<>]+)(\/[^\s?#"'<>]*)/gi
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/**
 * Replaces by {@link mask} whatever is or looks like a secret. Meant for texts that people read (errors, command
 * lines, addresses), so it masks too much rather than too little; `${VARIABLE}` references stay readable.
 *
 * @param text - any text, for example what a process printed
 * @param knownValues - values known to be secret: of environment variables, headers. Also found when they stand
 *   URL-encoded, JSON-escaped, line by line, or without their `Bearer`. Values under 4 characters are not looked for
 */
export function maskSecrets(text: string, knownValues: Iterable<string> = []): string {
  let masked = maskedOnce(maskValues(text, knownValues))
  for (let pass = 1; pass < mostPasses; pass++) {
    const again = maskedOnce(masked)
    if (again === masked) break
    masked = again
  }
  return masked
}

/** What was masked may show that its neighbour is a secret, too. */
const mostPasses = 8

function maskedOnce(text: string): string {
  let masked = text
  for (const shape of tokenShapes) masked = masked.replace(shape, mask)
  masked = masked
    .replace(urlUserinfo, `$1${mask}@`)
    .replace(queryValue, (match, mark: string, name: string, value: string) =>
      isSecretName(name) && !isReference(value) ? `${mark}${name}=${mask}` : match,
    )
    .replace(urlPath, (_match, origin: string, path: string) => origin + maskPathKeys(path))
    .replace(authorizationHeader, (match, start: string, value: string) =>
      isReference(value) ? match : start + mask,
    )
    .replace(authorization, (match, scheme: string, gap: string, value: string) =>
      isPlainWord(value) ? match : `${scheme}${gap}${mask}`,
    )
  return replaceNamedValues(masked, maskNamed)
}

/**
 * Replaces known values by {@link mask}, longest first, and nothing else: for texts such as a tool's description,
 * which must stay as published unless they quote a secret of ours. Values of eight and more letters and digits are also found
 * reversed, encoded, or spelt out: see `secret-forms.ts`.
 */
export const maskValues = (text: string, knownValues: Iterable<string>): string =>
  valueMasker(knownValues)(text)

/** The same for many texts: what is looked for is worked out once. */
export function valueMasker(knownValues: Iterable<string>): (text: string) => string {
  const values = [...knownValues].filter((value) => !isReference(value))
  const forms = [...new Set(values.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  const placesIn = formFinder(values.map(bareOf))
  return (text) => {
    let masked = text
    for (const form of forms) masked = masked.replaceAll(form, mask)
    return maskPlaces(masked, placesIn(masked))
  }
}

/** Replaces tokens that show what they are by their shape and passwords of addresses, and nothing else: for what is kept of what others said. */
export const maskTokens = (text: string): string =>
  tokenShapes.reduce((masked, shape) => masked.replace(shape, mask), text).replace(urlPassword, `$1${mask}@`)

function maskPlaces(text: string, places: ReturnType<ReturnType<typeof formFinder>>): string {
  let masked = ''
  let done = 0
  for (const { start, end } of places) {
    masked += text.slice(done, start) + mask
    done = end
  }
  return masked + text.slice(done)
}

const bareOf = (value: string): string => value.replace(/^(?:Bearer|Basic|Token|ApiKey)\s+/i, '').trim()

/** The value as it may turn up in a text: whole, encoded, by line, without its scheme, decoded from `Basic`. */
function formsOf(value: string): string[] {
  const bare = bareOf(value)
  const forms = [value, bare, ...value.split(/\r?\n/)]
  if (/^Basic\s/i.test(value)) {
    const decoded = Buffer.from(bare, 'base64').toString('utf8')
    forms.push(decoded, decoded.slice(decoded.indexOf(':') + 1))
  }
  return forms
    .map((form) => form.trim())
    .flatMap((form) => [
      form,
      encodeURIComponent(form.replace(/\p{Cs}/gu, '\ufffd')),
      JSON.stringify(form).slice(1, -1),
    ])
    .filter((form) => form.length >= shortestKnownValue && !isReference(form))
}

/** @returns undefined for a value that may stay */
function maskNamed(name: string, value: string): string | undefined {
  if (!isSecretName(name) || value.startsWith(mask) || isReference(value)) return undefined
  return /^(?:Bearer|Basic|Token|ApiKey|Digest)$/i.test(value) ? undefined : mask
}

/** `${VARIABLE}` and its like name a secret without holding one; `${VARIABLE:-default}` may hold it. */
export const isReference = (value: string): boolean =>
  /^(?:Bearer\s+)?\$\{[^}]*\}$/.test(value) && !value.includes(':-')

const isPlainWord = (value: string): boolean =>
  /^[a-z]+$|^[A-Z][a-z]+$|^[A-Z]+$/.test(value) && value.length < 16

const maskPathKeys = (path: string): string =>
  path
    .split('/')
    .map((segment) => (isPathKey(segment) ? mask : segment))
    .join('/')

/** A uuid, or 16 and more letters and digits, mixed, without a break that would make words of them. */
const isPathKey = (segment: string): boolean =>
  uuid.test(segment) ||
  segment
    .split(/[-_.~@:]|%[\dA-F]{2}/i)
    .some((piece) => piece.length >= 16 && /\d/.test(piece) && /[A-Za-z]/.test(piece))

/** A flag, and what stands between it and its value: a space is enough. */
const flag = `(--?[A-Za-z][\\w-]{1,63})(["']?(?:\\s*[=:]\\s*|\\s+(?=[^\\s-])))`
/** Any other name needs a sign: `NAME=value`, `name: value`, `"name": "value"`. */
const name = `(\\b[A-Za-z][\\w.-]{1,63})(["']?\\s*[=:]\\s*)`
const named = new RegExp(`${flag}|${name}`, 'g')
const bare = /[^\s,;&"'}\])]+/y

/** @returns what stands in place of a value; undefined where it stays */
type ReplaceValue = (name: string, value: string) => string | undefined

/**
 * Replaces values that stand after a name, quotes around them left out. A value in quotes or in `${…}` ends with its line at the latest.
 * Read once from left to right: what was looked for and is not there is not looked for again.
 */
function replaceNamedValues(text: string, replace: ReplaceValue): string {
  const ends = endFinder(text)
  let replaced = ''
  let done = 0
  named.lastIndex = 0
  for (let found = named.exec(text); found !== null; found = named.exec(text)) {
    const start = found.index + found[0].length
    const { from, to, end, isOpen } = valueAt(text, start, ends)
    const put = to > from ? replace(found[1] ?? found[3] ?? '', text.slice(from, to)) : undefined
    if (put !== undefined) {
      replaced += text.slice(done, from) + put
      done = to
    }
    // What is open to the end of its line may hold names of its own.
    named.lastIndex = put === undefined && isOpen ? Math.max(from, found.index + 1) : Math.max(end, start)
  }
  return replaced + text.slice(done)
}

type Value = {
  /** Without its quotes. */
  readonly from: number
  readonly to: number
  /** Just after it, quotes included. */
  readonly end: number
  /** It should end with a sign that is not there. */
  readonly isOpen: boolean
}

function valueAt(text: string, start: number, ends: (sign: string, from: number) => number): Value {
  const first = text[start]
  if (first === '"' || first === "'") {
    const close = ends(first, start + 1)
    const line = ends('\n', start + 1)
    return close < line
      ? { from: start + 1, to: close, end: close + 1, isOpen: false }
      : { from: start + 1, to: line, end: line, isOpen: true }
  }
  if (first === '$' && text[start + 1] === '{') {
    const close = ends('}', start)
    if (close < ends('\n', start)) return { from: start, to: close + 1, end: close + 1, isOpen: false }
  }
  bare.lastIndex = start
  const end = start + (bare.exec(text)?.[0].length ?? 0)
  return { from: start, to: end, end, isOpen: false }
}

/** The next place of a sign, or the end of the text; asked from left to right. */
function endFinder(text: string): (sign: string, from: number) => number {
  const known = new Map<string, number>()
  return (sign, from) => {
    const before = known.get(sign)
    if (before !== undefined && before >= from) return before
    const at = text.indexOf(sign, from)
    const place = at < 0 ? text.length : at
    known.set(sign, place)
    return place
  }
}
