/** What a tool does to what it works on, and what a request asks to be done to it; in the order of their numbers. */
export const effects = ['reads', 'changes', 'destroys'] as const
export type Effect = (typeof effects)[number]

/**
 * How well what a tool does goes with what is asked for: 1 the very thing, 0 nothing known, below 0 another thing. A tool that reads
 * may help whoever wants something changed; one that changes or destroys helps nobody who only wants to know.
 */
const fits: { readonly [asked in Effect]: { readonly [done in Effect]: number } } = {
  reads: { reads: 1, changes: -0.75, destroys: -1 },
  changes: { reads: -0.25, changes: 1, destroys: -0.5 },
  destroys: { reads: -0.25, changes: -0.25, destroys: 1 },
}

/** As {@link fits}; 0 where either is not known. */
export const effectFit = (asked: Effect | undefined, done: Effect | undefined): number =>
  asked === undefined || done === undefined ? 0 : fits[asked][done]

/** What of a request decides how much a tool loses: a request that tells of changes has the words of tools that make them. */
type Intent = { readonly asked: Effect | undefined; readonly reports: boolean }

/** Part of its score that a card may lose for doing another thing than is asked for, in a ranking that learned nothing of effects. */
const mostLost = { usual: 0.15, reported: 0.6 } as const

/** Factor on the score of a card whose very verb is told as done, or refused: its words are the request's, and say the contrary. */
export const unwantedFactor = 0.15

/** Factor on the score of a card, at least 1 less what it may lose. */
export const effectFactor = ({ asked, reports }: Intent, done: Effect | undefined): number =>
  1 + (reports ? mostLost.reported : mostLost.usual) * Math.min(0, effectFit(asked, done))

/**
 * What is taken from the log-odds of a tool that changes or destroys, for who asks to be told something, times how badly it fits. Trees ask
 * for effects too; but verbs err, and the catalogs that they learn from declare nothing. The first number costs nothing on requests of
 * training sets that were set apart.
 */
const taken = { byVerbs: 1.2, declared: 3, reported: 7 } as const

/** As {@link unwantedFactor}, in log-odds: as of what makes a change that is only told of. */
export const unwantedShift = -taken.reported

/** 0 or less. */
export const effectShift = (
  { asked, reports }: Intent,
  done: Effect | undefined,
  isDeclared: boolean,
): number => {
  if (asked !== 'reads') return 0
  const unfit = Math.min(0, effectFit(asked, done))
  // The tool that makes a change is no nearer to who asks about it than the one that undoes it.
  if (reports) return taken.reported * Math.sign(unfit)
  return (isDeclared ? taken.declared : taken.byVerbs) * unfit
}
