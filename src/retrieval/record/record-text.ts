import type { RecordSignal } from '../answer.ts'

/**
 * A track record in words: `worked 4 of 5 times on similar tasks, median 2.1 s`. Where no task was similar, all runs are told; of a
 * candidate that was never graded only that it was run.
 */
export function recordText({
  runs,
  successes,
  similarRuns,
  similarSuccesses,
  medianSeconds,
  used,
}: Omit<RecordSignal, 'estimate' | 'speaks'>): string {
  const speed = medianSeconds === null ? '' : `, median ${secondsText(medianSeconds)}`
  const uses = used === undefined || used.uses === 0 ? '' : `answered ${used.worked} of ${used.uses} calls`
  if (runs === 0) return uses || `was run, not graded${speed}`
  const [worked, tried] = similarRuns > 0 ? [similarSuccesses, similarRuns] : [successes, runs]
  const times = tried === 1 ? 'time' : 'times'
  const runsText = `worked ${worked} of ${tried} ${times}${similarRuns > 0 ? ' on similar tasks' : ''}${speed}`
  return uses === '' ? runsText : `${runsText}; ${uses}`
}

const secondsText = (seconds: number): string =>
  seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`
