/**
 * Text in which somebody wrote line breaks as the two characters `\n` (and quotes as `\"`), as they should be. A
 * drive letter's path such as `C:\new` stays.
 */
export function withRealLineBreaks(text: string): string {
  if (!/\\r?\\n|\\n/.test(text)) return text
  return text
    .replace(/(?<!\b[A-Za-z]:)(?:\\r)?\\n/g, '\n')
    .replaceAll('\\"', '"')
    .replaceAll('\\t', '\t')
}

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

/** What a field says of an agent, and the requests that its dialogues show. */
export const statementOf = (text: string): ReturnType<typeof splitExampleBlocks> =>
  splitExampleBlocks(withRealLineBreaks(text))

/** Takes a heading such as `Examples:` and a list mark off the end: they introduced the blocks. */
const withoutHeading = (text: string): string =>
  text
    .trim()
    .replace(/[-*]$/, '')
    .trimEnd()
    .replace(
      /(?:^|\s)\**(?:specifically|(?:usage )?examples?|for example|e\.g\.|example usage)\**(?::\**)?$/i,
      '',
    )
    .trim()

/** A description of blocks alone still has their contexts to say what the agent is for. */
const contextOf = (dialogues: readonly string[]): string =>
  [...new Set(dialogues.flatMap((dialogue) => turnsOf(dialogue, 'context')))].join(' ')

const userTurns = (dialogue: string): string[] => turnsOf(dialogue, 'user')

/** A name with a colon; whether somebody begins to speak there is asked of what stands before it. */
const speaker = /(context|user|human|assistant|commentary)\**\s*:\**[ \t]*(["'“]?)/gi

type Mark = { readonly name: string; readonly start: number; readonly end: number }

/** Where somebody begins to speak: at the start of a line, or after a space when a quotation follows. */
function speakersIn(dialogue: string): readonly Mark[] {
  const marks: Mark[] = []
  for (const { 0: found, 1: name = '', 2: quote = '', index } of dialogue.matchAll(speaker)) {
    const start = startOfMark(dialogue, index, quote !== '')
    if (start === undefined) continue
    marks.push({ name: name.toLowerCase(), start, end: index + found.length - quote.length })
  }
  return marks
}

/** Where the signs before a name begin; undefined where they are none that a speaker has before their name. */
function startOfMark(dialogue: string, name: number, isQuoted: boolean): number | undefined {
  let from = name
  let line = -1
  while (from > 0 && /[\s*-]/.test(dialogue[from - 1]!)) {
    from -= 1
    if (dialogue[from] === '\n') line = from
  }
  if (from === 0) return 0
  if (line >= 0) return line
  let before = name
  while (dialogue[before - 1] === '*') before -= 1
  return isQuoted && before > from && /\s/.test(dialogue[before - 1]!) ? before - 1 : undefined
}

function turnsOf(dialogue: string, role: 'user' | 'context'): string[] {
  const marks = speakersIn(dialogue)
  return marks.flatMap(({ name, end }, index) => {
    if (name !== role && !(name === 'human' && role === 'user')) return []
    const spoken = dialogue.slice(end, marks[index + 1]?.start)
    const turn = unquoted((spoken.split(/<\/?[a-z_]+>/i, 1)[0] ?? '').replace(/\s+/g, ' ').trim())
    return turn === '' ? [] : [turn]
  })
}

const unquoted = (text: string): string => {
  const [, inner] = /^["'“](.*)["'”]$/.exec(text) ?? []
  return (inner ?? text).trim()
}
