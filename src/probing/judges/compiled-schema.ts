import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { checkPattern, matchesPattern } from './guarded-pattern.ts'

/** What a schema says of a value. */
export type SchemaCheck = (value: JsonValue) => { readonly admitted: boolean; readonly fault: string | null }

/**
 * Compiles a JSON Schema that somebody else wrote: drafts 7 and 2020-12, formats checked, unknown words let pass, nothing fetched,
 * patterns stopped after a second.
 *
 * @throws Error that says what is wrong with the schema
 */
export function compiledSchema(schema: JsonObject): SchemaCheck {
  const isOld = typeof schema.$schema === 'string' && /draft-0[4-7]/.test(schema.$schema)
  const ajv = isOld ? draft7() : draft2020()
  const { $id: _id, ...anonymous } = schema
  try {
    const validate = ajv.compile(anonymous)
    return (value) => {
      const admitted = validate(value) === true
      return { admitted, fault: admitted ? null : faultOf(validate.errors?.[0]) }
    }
  } finally {
    ajv.removeSchema(anonymous)
  }
}

/** Made once, since each compiles the schema of schemas. */
const draft7 = once(() => withFormats(new Ajv({ ...options(), validateSchema: false })))
const draft2020 = once(() => withFormats(new Ajv2020(options())))

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

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
