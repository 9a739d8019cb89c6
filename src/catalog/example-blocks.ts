/**
 * Splits a sub-agent's description at its `<example>` blocks, dialogues that show a host when to call it.
 *
 * @returns the text before the first block, and what the users of the dialogues say
 */
export function splitExampleBlocks(description: string): {
  readonly description: string
  readonly examples: readonly string[]
} {
  const [before = '', ...blocks] = description.split(/<example>/i)
  if (blocks.length === 0) return { description: description.trim(), examples: [] }
  const dialogues = blocks.map((block) => block.split(/<\/example>/i, 1)[0] ?? '')
  const examples = [...new Set(dialogues.flatMap(userTurns))]
  const plain = withoutHeading(before)
  return { description: plain === '' ? contextOf(dialogues) : plain, examples }
}

/** Takes a heading such as `Examples:` and a list mark off the end: they introduced the blocks. */
const withoutHeading = (text: string): string =>
  text
    .trim()
    .replace(/\s*[-*]$/, '')
    .replace(
      /(?:^|\s)\**(?:specifically|(?:usage )?examples?|for example|e\.g\.|example usage)\**:?\**$/i,
      '',
    )
    .trim()

/** A description of blocks alone still has their contexts to say what the agent is for. */
const contextOf = (dialogues: readonly string[]): string =>
  [...new Set(dialogues.flatMap((dialogue) => turnsOf(dialogue, 'context')))].join(' ')

const userTurns = (dialogue: string): string[] => turnsOf(dialogue, 'user')

/** Where somebody begins to speak: at the start of a line, or anywhere when a quotation follows. */
const speaker =
  /(?:(?:^|\n)[\s*-]*|\s)\**(context|user|human|assistant|commentary)\**\s*:\**[ \t]*(?=["'“])|(?:^|\n)[\s*-]*\**(context|user|human|assistant|commentary)\**\s*:\**/gi

function turnsOf(dialogue: string, role: 'user' | 'context'): string[] {
  const marks = [...dialogue.matchAll(speaker)]
  return marks.flatMap((mark, index) => {
    const name = (mark[1] ?? mark[2] ?? '').toLowerCase()
    if (name !== role && !(name === 'human' && role === 'user')) return []
    const spoken = dialogue.slice(mark.index + mark[0].length, marks[index + 1]?.index)
    const turn = unquoted((spoken.split(/<\/?[a-z_]+>/i, 1)[0] ?? '').replace(/\s+/g, ' ').trim())
    return turn === '' ? [] : [turn]
  })
}

const unquoted = (text: string): string => {
  const [, inner] = /^["'“](.*)["'”]$/.exec(text) ?? []
  return (inner ?? text).trim()
}
