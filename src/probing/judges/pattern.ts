import { excerpt } from './excerpt.ts'
import { matchesPattern, PatternError } from './guarded-pattern.ts'
import type { ReferenceCheck } from './reference-check.ts'

/** 5 when the pattern is found in the answer, else 1. A pattern that is bad or does not come to an end gives no grade. */
export const pattern: ReferenceCheck<'pattern'> = ({ regex, flags = '' }, { text }) => {
  try {
    return matchesPattern(regex, flags, text)
      ? { grade: 5, reason: `The answer matches /${excerpt(regex).slice(1, -1)}/${flags}.` }
      : {
          grade: 1,
          reason: `The answer ${excerpt(text)} does not match /${excerpt(regex).slice(1, -1)}/${flags}.`,
        }
  } catch (cause) {
    if (cause instanceof PatternError) return { refusal: cause.message }
    throw cause
  }
}
