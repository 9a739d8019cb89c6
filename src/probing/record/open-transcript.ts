import type { TranscriptEvent } from '../ports.ts'

/** What happened, without the time that {@link openTranscript} gives it. */
export type UntimedEvent = TranscriptEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'at'>
    : never
  : never

/** A transcript that is being written. */
export type OpenTranscript = {
  /** In the order they came; times never fall. */
  readonly events: readonly TranscriptEvent[]
  /** Seconds since the start. */
  elapsed(): number
  add(event: UntimedEvent): void
  /** From now on nothing is added and nobody is told: what comes late is not part of the execution. */
  close(): void
}

/**
 * Starts the clock of an execution.
 *
 * @param onEvent - told of each event as it happens
 */
export function openTranscript(onEvent: (event: TranscriptEvent) => void = () => {}): OpenTranscript {
  const started = performance.now()
  const events: TranscriptEvent[] = []
  let isOpen = true
  const elapsed = () => (performance.now() - started) / 1_000
  return {
    events,
    elapsed,
    add(untimed) {
      if (!isOpen) return
      const event = { at: elapsed(), ...untimed } as TranscriptEvent
      events.push(event)
      onEvent(event)
    },
    close() {
      isOpen = false
    },
  }
}
