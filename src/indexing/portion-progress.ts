import type { PlanRequest } from './find-sources.ts'
import type { ScanAhead } from '../trust/scan/scan-ahead.ts'
import type { IndexProgress } from './index-report.ts'

/** Tells of a run: of one with several portions how far it is over all of them, by the sources that are committed. */
export function portionProgress(onProgress: (event: IndexProgress) => void) {
  let total = 0
  let done = 0
  let current = 0
  let cards = 0
  let reached = 0
  let isSeveral = false
  const write = (share: number, what: string): void => {
    if (!isSeveral) {
      onProgress({ step: 'write', share, what })
      return
    }
    const held = cards === 0 ? '' : `; the index has ${cards.toLocaleString('en')} cards`
    // The next portion is read before one is committed.
    reached = Math.max(reached, (done + share * current) / Math.max(1, total))
    onProgress({ step: 'write', share: reached, what: what + held })
  }
  const request: Required<Pick<PlanRequest, 'onSources' | 'onSource' | 'onNames'>> = {
    onSources(sources) {
      total = sources
      onProgress({ step: 'discover', sources })
    },
    onSource(source, read, of) {
      total = of
      if (isSeveral) write(0, `reading ${read} of ${of} sources: ${source}`)
      else onProgress({ step: 'read', source, done: read, total: of })
    },
    onNames() {
      isSeveral = true
      write(0, 'reading the names of all cards')
    },
  }
  return {
    request,
    write,
    /** Tells of every thousand cards whose texts are looked through. */
    lookingThrough(saidOf: ScanAhead['saidOf']): ScanAhead['saidOf'] {
      let looked = 0
      return (card) => {
        if (looked % 1000 === 0)
          write(0, looked === 0 ? 'looking through the cards' : `${looked} cards looked through`)
        looked += 1
        return saidOf(card)
      }
    },
    /** A portion of so many sources is dealt with from now on. */
    begin(sources: number): void {
      done += current
      current = sources
    },
    /** @param now - cards that the index holds */
    committed(now: number): void {
      cards = now
      onProgress({ step: 'committed', cards })
    },
  }
}
