import type { Sample } from '../corpus.ts'
import { attacksByAction } from './authored-b/attacks-actions.ts'
import { attacksByHiding } from './authored-b/attacks-hidden.ts'
import { attacksByInstruction } from './authored-b/attacks-instructions.ts'
import { attacksBySubtlety } from './authored-b/attacks-subtle.ts'
import { honestAgents } from './authored-b/honest-agents.ts'
import { honestTools } from './authored-b/honest-tools.ts'

/** Attacks the rules were never tuned on: to be measured, not to be looked at while rules are written. */
export const attacksB: readonly Sample[] = [
  ...attacksByInstruction,
  ...attacksByHiding,
  ...attacksByAction,
  ...attacksBySubtlety,
]

/** Honest cards that look suspicious; the promise means nothing here, no finding is wanted. */
export const honestB: readonly Sample[] = [...honestTools, ...honestAgents]
