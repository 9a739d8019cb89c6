/** What the command line tells the shell. */
export type ExitCode = 0 | 1 | 2 | 130

export const exitCodes = { done: 0, failed: 1, wrongUsage: 2, interrupted: 130 } as const

/** The codes as `--help` states them. */
export const exitCodesText = 'Exit codes: 0 done, 1 something failed, 2 wrong usage, 130 stopped with Ctrl-C.'
