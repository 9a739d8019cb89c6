/** What the surface of a request shows: a number each, its mean and spread over 5,608 requests of eleven benchmarks (LLMRouter, train). */
const features: readonly (readonly [of: (text: string) => number, mean: number, spread: number])[] = [
  [({ length }) => Math.log1p(length), 4.99, 1.1],
  [(text) => Math.log1p(countOf(text, /\n/g)), 0.269, 0.72],
  [(text) => Math.log1p(countOf(text, /[0-9]/g)), 0.89, 1.1],
  [(text) => countOf(text, /[0-9]/g) / Math.max(1, text.length), 0.0145, 0.028],
  [(text) => countOf(text, /[A-Z]/g) / Math.max(1, text.length), 0.0227, 0.024],
  [has(/[$\\]/), 0.152, 0.36],
  [has(/\bdef |"""|>>>|```|\bassert\b|\breturn\b/), 0.0348, 0.18],
  [has(/\?/), 0.593, 0.49],
  [has(/[.?!]$/), 0.717, 0.45],
  [has(/^[a-z]/), 0.157, 0.36],
  [has(/^(?:who|when|where)\b/i), 0.101, 0.3],
  [has(/^(?:what|which|how|why)\b/i), 0.155, 0.36],
  [has(/\bhow (?:many|much)\b/i), 0.132, 0.34],
  [has(/^(?:write|create|implement|given)\b/i), 0.0909, 0.29],
  [has(/^\S*(?:\s+\S+){0,6}$/), 0.0583, 0.23],
  [(text) => (countOf(text, /[.!?]\s/g) > 2 ? 1 : 0), 0.244, 0.43],
  [has(/["“_]/), 0.135, 0.34],
]

/** Nothing is further from the mean than this. */
const farthest = 3

/**
 * What kind of request it is, whatever it is about: long or short, code, sums, a question. Of 5,608 requests that nine models did, its
 * likeness says as much of who does one well as that of words does.
 *
 * @returns its length is 1 on average
 */
export function requestSurface(request: string): Float32Array {
  const text = request.trim()
  return Float32Array.from(features, ([of, mean, spread]) => {
    const value = (of(text) - mean) / spread
    return Math.max(-farthest, Math.min(farthest, value)) / Math.sqrt(features.length)
  })
}

function has(pattern: RegExp): (text: string) => number {
  return (text) => (pattern.test(text) ? 1 : 0)
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
