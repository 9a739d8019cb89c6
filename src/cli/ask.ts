import { createInterface } from 'node:readline/promises'
import type { Terminal } from './terminal.ts'

/**
 * Asks a yes-or-no question on standard error; an empty answer is no.
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
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal })
    return /^\s*(?:y|yes)\s*$/iu.test(answer)
  } finally {
    lines.close()
  }
}
