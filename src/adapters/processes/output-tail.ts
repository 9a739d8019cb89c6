import { printable } from '../../domain/text/printable.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'

/** Characters shown to people. */
const shown = 2_000
/** Characters kept, so that masking sees a secret whole before the text is cut to {@link shown}. */
const mostKept = 32_000

/** The end of what a process printed, for an error message. */
export type OutputTail = {
  push(chunk: string): void
  /** The last 2,000 characters, masked, without control characters; empty when nothing was printed. */
  masked(knownValues: Iterable<string>): string
}

/** Keeps the end of a stream of text in bounded memory. */
export function outputTail(): OutputTail {
  let kept = ''
  let isCut = false
  return {
    push(chunk) {
      kept += chunk
      if (kept.length <= mostKept * 2) return
      kept = kept.slice(-mostKept)
      isCut = true
    },
    masked(knownValues) {
      const text = printable(isCut ? wholeLines(kept) : kept)
      const masked = maskSecrets(text, knownValues).trim()
      return masked.length <= shown ? masked : `…${masked.slice(-shown)}`
    },
  }
}

/** Drops the first line, which may begin in the middle of a secret. */
function wholeLines(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 ? '' : text.slice(end + 1)
}
