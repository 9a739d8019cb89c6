import type { JsonObject, JsonValue } from '../../domain/json.ts'

/** A table of TOML with these values, inner objects inline. Ends with a line break. */
export function tomlTable(path: readonly string[], values: JsonObject): string {
  const lines = Object.entries(values).map(([name, value]) => `${keyText(name)} = ${valueText(value)}`)
  return [`[${path.map(keyText).join('.')}]`, ...lines, ''].join('\n')
}

const keyText = (name: string): string => (/^[\w-]+$/.test(name) ? name : quoted(name))

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (value === null) throw new TypeError('TOML has no null')
  if (typeof value !== 'object') return String(value)
  const inner = Object.entries(value).map(([name, one]) => `${keyText(name)} = ${valueText(one)}`)
  return `{ ${inner.join(', ')} }`
}

/** A basic string: what JSON escapes, TOML escapes alike, but for DEL. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007F')
