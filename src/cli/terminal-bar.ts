import { Presets, SingleBar } from 'cli-progress'
import type { Output } from './terminal.ts'

/** A progress bar on a terminal; it appears with the first value. */
export type TerminalBar = {
  /** Columns that are left for words beside the bar. */
  readonly room: number
  /** @param words - by their names in the format */
  show(value: number, total: number, words: { readonly [name: string]: string }): void
  /** Takes the bar away; harmless when called again. */
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
  let running = false
  return {
    room: Math.max(8, (columns ?? 80) - barColumns - taken),
    show(value, total, words) {
      if (!running) view.start(total, 0, words)
      running = true
      view.update(value, words)
    },
    stop() {
      if (running) view.stop()
      running = false
    },
  }
}
