/** Seconds in words: `48 s`, `3 min 5 s`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
