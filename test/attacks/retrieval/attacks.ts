import type { Attack } from './attack.ts'
import { copies } from './attackers/copies.ts'
import { inExamples } from './attackers/examples.ts'
import { flood } from './attackers/flood.ts'
import { hijack } from './attackers/hijack.ts'
import { optimisedWords } from './attackers/optimised.ts'
import { paraphrase } from './attackers/paraphrase.ts'
import { queryShaped } from './attackers/query-shaped.ts'
import { keywords, stuffing } from './attackers/stuffing.ts'

/** Attacks that the floors are about. */
export const attacks: readonly Attack[] = [
  queryShaped,
  hijack,
  optimisedWords,
  flood,
  stuffing,
  keywords,
  copies,
]

/**
 * What a card says that is no lie of form: a description in a tool's style of just what is asked for, and the request among the
 * examples, where honest cards have it too.
 */
export const unpromised: readonly Attack[] = [paraphrase, inExamples]
