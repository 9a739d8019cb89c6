import { createInterface } from 'node:readline/promises'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { Terminal } from '../terminal.ts'

/**
 * Asks a question on standard error, and gives back the line that was typed; the end of the input is an empty one.
 *
 * @returns null when nobody can answer: standard input or standard error is not a terminal
 */
export async function askLine(
  question: string,
  { stdin, stderr }: Terminal,
  signal: AbortSignal,
): Promise<string | null> {
  if (stdin.isTTY !== true || !stderr.isTty) return null
  const lines = createInterface({ input: stdin, output: stderr.stream })
  // While it waits, readline takes Ctrl-C for itself; the process must hear of it as of any other.
  lines.on('SIGINT', () => process.emit('SIGINT'))
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return (await Promise.race([lines.question(`${question} `, { signal }), ended])).trim()
  } finally {
    lines.close()
  }
}

/** Asks a yes-or-no question; an empty answer is no, and null means that nobody can answer. */
export async function askYesNo(
  question: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean | null> {
  const answer = await askLine(`${question} [y/N]`, terminal, signal)
  return answer === null ? null : /^(?:y|yes)$/iu.test(answer)
}

/**
 * Whether a person is sure of what cannot be taken back.
 *
 * @param deed - the rest of "Add --yes to"
 * @throws UsageError where nobody can be asked
 */
export async function isSure(
  question: string,
  deed: string,
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
): Promise<boolean> {
  const answer = await askYesNo(question, terminal, signal)
  if (answer === null) throw new UsageError(`Nobody can be asked here. Add --yes to ${deed}.`)
  return answer
}

/** What was said in plain words; `-` reads so many characters of it from standard input. */
export async function saidIn(
  words: readonly string[],
  limit: number,
  { terminal }: Pick<Context, 'terminal'>,
): Promise<string> {
  const isPiped = words.length === 1 && words[0] === '-'
  return (isPiped ? await readInput(terminal.stdin, limit) : words.join(' ')).trim()
}

/** Reads a stream as UTF-8 up to so many characters; the rest is left unread. */
export async function readInput(stream: NodeJS.ReadableStream, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.length >= limit) break
  }
  return text.slice(0, limit)
}
