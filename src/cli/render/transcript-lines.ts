import { printable, printableLine } from '../../domain/text/printable.ts'
import type { TranscriptEvent } from '../../probing/ports.ts'

/** An event of a run as lines for the person who waits. */
export function transcriptLines(event: TranscriptEvent): readonly string[] {
  const at = `[${event.at.toFixed(1)} s]`
  switch (event.kind) {
    case 'tool-call':
      return [`${at} calls ${printableLine(event.tool)} ${printableLine(JSON.stringify(event.arguments))}`]
    case 'tool-result': {
      const what = event.failed ? 'failed' : 'answered'
      return [`${at} ${printableLine(event.tool)} ${what}: ${printableLine(event.text)}`]
    }
    case 'message':
      return printable(event.text)
        .split('\n')
        .map((line, index) => (index === 0 ? `${at} ${line}` : `  ${line}`))
    case 'status':
    case 'tool-withheld':
      return [`${at} ${printableLine(event.text)}`]
    case 'log':
      return printable(event.text)
        .split('\n')
        .map((line) => `${at} stderr: ${line}`)
  }
}
