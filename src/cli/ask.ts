import { createInterface } from 'node:readline/promises'
import type { Terminal } from './terminal.ts'

/**
 * Asks a yes-or-no question on standard error; an empty answer, or the end of the input, is no.
 *
 * @returns null when nobody can answer: standard input or standard error is not a terminal
 */
export async function askYesNo(
  question: string,
  { stdin, stderr }: Terminal,
  signal: AbortSignal,
): Promise<boolean | null> {
  if (stdin.isTTY !== true || !stderr.isTty) return null
  const lines = createInterface({ input: stdin, output: stderr.stream })
  // While it waits, readline takes Ctrl-C for itself; the process must hear of it as of any other.
  lines.on('SIGINT', () => process.emit('SIGINT'))
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), ended])
    return /^\s*(?:y|yes)\s*$/iu.test(answer)
  } finally {
    lines.close()
  }
}
