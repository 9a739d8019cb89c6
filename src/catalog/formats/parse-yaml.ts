import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml'
import { indentFlowLines } from './indent-flow-lines.ts'

const schema = CORE_SCHEMA.withTags(mergeTag)
/** Longer texts are catalogs of another format: no YAML document of agents is this long. */
const mostCharacters = 16 * 1024 * 1024
/** Values a document may hold once its aliases are written out: a few lines of aliases can stand for billions. */
const mostValues = 1_000_000

/**
 * Parses a text that holds one YAML document (version 1.2; `<<` merges; a closing bracket may stand below its key).
 *
 * @returns undefined when it is not YAML, several documents, too long, or larger than life once aliases are expanded
 */
export function parseYaml(text: string): unknown {
  const result = yamlIn(text)
  return 'value' in result ? result.value : undefined
}

/** Why {@link parseYaml} gives undefined, for example `bad indentation of a mapping entry (line 7)`; else undefined. */
export function whyNotYaml(text: string): string | undefined {
  const result = yamlIn(text)
  return 'reason' in result ? result.reason : undefined
}

type Parsed = { readonly value: unknown } | { readonly reason: string }

function yamlIn(text: string): Parsed {
  if (text.length > mostCharacters) return { reason: 'it is longer than 16 million characters' }
  const strict = strictYamlIn(text)
  if ('value' in strict || !strict.reason.startsWith('deficient indentation')) return strict
  const lenient = strictYamlIn(indentFlowLines(text))
  return 'value' in lenient ? lenient : strict
}

function strictYamlIn(text: string): Parsed {
  try {
    const value = load(text, { schema })
    return text.includes('*') && isTooLarge(value) ? { reason: 'its aliases expand without end' } : { value }
  } catch (error) {
    // js-yaml's own errors, and whatever a hostile text makes it throw.
    if (!(error instanceof YAMLException)) return { reason: 'it cannot be parsed' }
    const line = error.mark === undefined ? '' : ` (line ${error.mark.line + 1})`
    return { reason: `${error.reason}${line}` }
  }
}

/** Whether the value would not fit into memory as JSON: circles count as endless. */
function isTooLarge(value: unknown): boolean {
  const open = [value]
  for (let seen = 0; open.length > 0; seen += 1) {
    if (seen > mostValues) return true
    const next = open.pop()
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner)
  }
  return false
}
