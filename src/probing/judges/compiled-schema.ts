import { Ajv } from 'ajv'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { once } from '../../domain/once.ts'
import { TimeSpentError, withinTime } from '../within-time.ts'

/** What a schema says of a value. */
export type SchemaCheck = (value: JsonValue) => { readonly admitted: boolean; readonly fault: string | null }

/**
 * Compiles a JSON Schema that somebody else wrote: drafts 7 and 2020-12, formats checked, unknown words let pass, nothing fetched,
 * patterns and checks stopped after a second.
 *
 * @throws Error that says what is wrong with the schema; the check too, as a {@link PatternError}
 */
export function compiledSchema(schema: JsonObject): SchemaCheck {
  const isOld = typeof schema.$schema === 'string' && /draft-0[4-7]/.test(schema.$schema)
  const ajv = isOld ? draft7() : draft2020()
  const { $id: _id, ...anonymous } = schema
  try {
    const validate = ended('schema', () => ajv.compile(anonymous))
    return (value) => {
      const admitted = ended('schema', () => validate(value)) === true
      return { admitted, fault: admitted ? null : faultOf(validate.errors?.[0]) }
    }
  } finally {
    ajv.removeSchema(anonymous)
  }
}

/** Made once, since each compiles the schema of schemas. */
const draft7 = once(() => withFormats(new Ajv({ ...options(), validateSchema: false })))
const draft2020 = once(() => withFormats(new Ajv2020(options())))

const options = () =>
  ({ strict: false, logger: false, addUsedSchema: false, code: { regExp: guardedEngine } }) as const

function withFormats<Engine extends Ajv | Ajv2020>(ajv: Engine): Engine {
  // The module is CommonJS; which of the two holds the function depends on who loads it.
  const add = ('default' in addFormats ? addFormats.default : addFormats) as unknown as (
    engine: Engine,
  ) => void
  add(ajv)
  return ajv
}

const faultOf = (error: ErrorObject | undefined): string =>
  error === undefined
    ? 'does not fit'
    : `${error.instancePath === '' ? 'it' : error.instancePath} ${error.message ?? 'does not fit'}`

/** Stands in for RegExp in compiled schemas, which tell two patterns apart by what `toString` gives. */
const guardedEngine = Object.assign(
  (pattern: string, flags: string) => {
    checkPattern(pattern, flags)
    return {
      test: (text: string) => matchesPattern(pattern, flags, text),
      toString: () => `/${pattern}/${flags}`,
    } as unknown as RegExp
  },
  { code: 'new RegExp' },
)

/** Longest run of one pattern, and the longest text it is run on. Some patterns take longer than the age of the universe. */
const timeoutMs = 1000
const longestText = 100_000
const longestPattern = 2000

/** A pattern or schema cannot be used, or took too long. The message is fit for people. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/**
 * Checks a pattern that somebody else wrote, without running it.
 *
 * @param flags - any of `imsu`
 * @throws PatternError when it is no regular expression of JavaScript, or too long
 */
function checkPattern(pattern: string, flags = ''): void {
  if (pattern.length > longestPattern)
    throw new PatternError(`The pattern is longer than ${longestPattern} characters.`)
  if (!/^[imsu]*$/.test(flags)) throw new PatternError(`The flags "${flags}" are not among i, m, s, u.`)
  try {
    new RegExp(pattern, flags)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new PatternError(`The pattern is no regular expression: ${reason}.`, { cause })
  }
}

/**
 * Whether a pattern is found in a text, of which the first 100,000 characters are searched.
 *
 * @throws PatternError when the pattern is bad, or has not ended after a second
 */
export function matchesPattern(pattern: string, flags: string, text: string): boolean {
  checkPattern(pattern, flags)
  return ended('pattern', () => new RegExp(pattern, flags).test(text.slice(0, longestText)))
}

const advice = {
  pattern: 'Write it without nested repeats such as (a+)+.',
  schema: 'Write it without parts that refer to each other again and again.',
} as const

/** @throws PatternError when it has not ended after a second, or goes round in a circle; else what is thrown */
function ended<T>(what: keyof typeof advice, run: () => T): T {
  try {
    return withinTime(timeoutMs, run)
  } catch (cause) {
    if (!(cause instanceof TimeSpentError || cause instanceof RangeError)) throw cause
    const how = cause instanceof RangeError ? 'in a circle' : 'for a second'
    throw new PatternError(`The ${what} ran ${how} without an end. ${advice[what]}`, { cause })
  }
}
