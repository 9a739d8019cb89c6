/** Tells a person on stderr; callers hear nothing of it. */
export const logError = (error: unknown): void =>
  console.error(`audition: ${error instanceof Error ? error.message : String(error)}`)
