import { z } from 'zod'

/**
 * Longest need in plain words, in characters (UTF-16 units): as much as a search reads. Each character costs time in
 * every search; more of them tell a search nothing.
 */
export const longestNeed = 8_000
/** Longest id or name. A card's id has about 400 characters at most; looking for its like takes longer the longer it is. */
export const longestName = 512

/** A need in plain words. */
export const needText = () => z.string().trim().min(1).max(longestNeed)

/** An id or a name. Its longest length is checked, not listed: no host comes near it, and the list is paid for by all. */
export const nameText = () =>
  z
    .string()
    .min(1)
    .check(({ value, issues }) => {
      if (value.length <= longestName) return
      issues.push({ code: 'too_big', origin: 'string', maximum: longestName, inclusive: true, input: value })
    })
