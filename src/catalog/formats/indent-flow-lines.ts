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
