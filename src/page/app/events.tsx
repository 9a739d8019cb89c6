import { cut } from '../../domain/text/cut.ts'
import type { TranscriptEvent } from '../../probing/ports.ts'

/** What happened in a run, one line each. Texts are the agent's: shown, and nothing else. */
export const Events = ({ events }: { events: readonly TranscriptEvent[] }) => (
  <ol class="plain events">
    {events.map((event) => (
      <li class={event.kind}>
        <span class="at">{event.at.toFixed(1)}</span>
        <Line event={event} />
      </li>
    ))}
  </ol>
)

const shown = (text: string): string => cut(text, 600)

function Line({ event }: { event: TranscriptEvent }) {
  switch (event.kind) {
    case 'tool-call':
      return (
        <span>
          <strong>calls {event.tool}</strong> <code dir="auto">{shown(JSON.stringify(event.arguments))}</code>
        </span>
      )
    case 'tool-result':
      return (
        <span class={event.failed ? 'bad' : undefined}>
          {event.tool} {event.failed ? 'failed' : 'answers'} <code dir="auto">{shown(event.text)}</code>
        </span>
      )
    case 'tool-withheld':
      return <span class="bad">withheld: {event.text}</span>
    default:
      return <span dir="auto">{shown(event.text)}</span>
  }
}
