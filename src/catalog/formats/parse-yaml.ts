import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml'

/** What is open where a line ends: how many brackets, and the quote that a text began with. */
type Open = { readonly depth: number; readonly quote: '"' | "'" | '' }

const closed: Open = { depth: 0, quote: '' }

/** Indentation and dashes, and a key if there is one; what follows is its value. */
const startOfLine = /^\s*(?:-\s+)*/
const keyOfValue = /^(?:"[^"]*"\s*|'[^']*'\s*|[^\s"'#&*![\]{}|>][^:#]*):(?:\s+|$)/

/**
 * The YAML with the lines of its `[...]` and `{...}` further right than the key they belong to. YAML wants it so, and
 * many people and programs write the closing bracket below the key. Inside brackets indentation says nothing, so the
 * meaning stays, and so do the numbers of lines.
 *
 * @returns the text as it was where some bracket never closes
 */
export function indentFlowLines(text: string): string {
  let open = closed
  let indent = 0
  /** Indentation of the key whose text runs over the lines below, as `|` and `>` announce it. */
  let block: number | null = null
  const lines = text.split('\n').map((line) => {
    if (open.depth > 0) {
      open = openAfter(line, open)
      const isFurtherLeft = line.trim() !== '' && widthOfIndent(line) <= indent
      return isFurtherLeft ? `${' '.repeat(indent + 1)}${line}` : line
    }
    if (block !== null && (line.trim() === '' || widthOfIndent(line) > block)) return line
    block = null
    indent = startOfLine.exec(line)![0].length
    const value = line.slice(indent).replace(keyOfValue, '')
    if (/^[|>][-+\d]*\s*(?:#.*)?$/.test(value)) block = widthOfIndent(line)
    else if (/^[[{]/.test(value)) open = openAfter(value, closed)
    return line
  })
  return open.depth === 0 ? lines.join('\n') : text
}

const widthOfIndent = (line: string): number => /^\s*/.exec(line)![0].length

function openAfter(line: string, { depth, quote }: Open): Open {
  let at = 0
  let inside: string = quote
  let deep = depth
  for (; at < line.length; at += 1) {
    const character = line[at]!
    if (inside !== '') {
      if (character === '\\' && inside === '"') at += 1
      else if (character === inside) inside = ''
    } else if (character === '"' || character === "'") inside = character
    else if (character === '#' && /^$|\s/.test(line[at - 1] ?? '')) break
    else if ('[{'.includes(character)) deep += 1
    else if (']}'.includes(character)) deep -= 1
    if (deep <= 0) return closed
  }
  return { depth: deep, quote: inside as Open['quote'] }
}

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
