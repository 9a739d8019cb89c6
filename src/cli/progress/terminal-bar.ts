import { Presets, SingleBar } from 'cli-progress'
import type { Output } from '../terminal.ts'

/** A progress bar on a terminal; it appears with the first value. */
type TerminalBar = {
  /** Columns that are left for words beside the bar. */
  readonly room: number
  /** @param words - by their names in the format */
  show(value: number, total: number, words: { readonly [name: string]: string }): void
  /**
   * Takes the bar away for good; harmless when called again. What was under way when it was stopped may still tell of
   * its end: a bar that came back then would have nobody to stop it, and its timer would keep the process alive.
   */
  stop(): void
}

const barColumns = 24

/**
 * @param format - of cli-progress: `{bar}`, `{percentage}`, `{value}`, `{total}`, and the names of words
 * @param taken - columns that the format takes besides bar and words
 */
export function terminalBar({ stream, columns }: Output, format: string, taken: number): TerminalBar {
  const view = new SingleBar(
    {
      stream,
      format,
      barsize: barColumns,
      hideCursor: true,
      clearOnComplete: true,
      linewrap: null,
      gracefulExit: false,
    },
    Presets.shades_classic,
  )
  let state: 'new' | 'running' | 'over' = 'new'
  return {
    room: Math.max(8, (columns ?? 80) - barColumns - taken),
    show(value, total, words) {
      if (state === 'over') return
      if (state === 'new') view.start(total, 0, words)
      state = 'running'
      view.update(value, words)
    },
    stop() {
      if (state === 'running') view.stop()
      state = 'over'
    },
  }
}
