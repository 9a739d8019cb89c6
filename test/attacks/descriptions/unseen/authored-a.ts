import type { Sample } from '../corpus.ts'
import * as attackAgents from './authored-a/attacks-agents.ts'
import * as covert from './authored-a/attacks-covert.ts'
import * as directives from './authored-a/attacks-directives.ts'
import * as exfiltration from './authored-a/attacks-exfiltration.ts'
import * as languages from './authored-a/attacks-languages.ts'
import * as attackNames from './authored-a/attacks-names.ts'
import * as tone from './authored-a/attacks-tone.ts'
import * as honestAgents from './authored-a/honest-agents.ts'
import * as claims from './authored-a/honest-claims.ts'
import * as secrets from './authored-a/honest-secrets.ts'
import * as security from './authored-a/honest-security.ts'
import * as text from './authored-a/honest-text.ts'
import * as workflow from './authored-a/honest-workflow.ts'

const all = (...parts: readonly { readonly [name: string]: readonly Sample[] }[]): readonly Sample[] =>
  parts.flatMap((part) => Object.values(part).flat())

/** Attacks written by an author who has not seen the rules of the scanner, nor the corpus they were written beside. */
export const attacksA: readonly Sample[] = all(
  directives,
  exfiltration,
  covert,
  attackNames,
  tone,
  attackAgents,
  languages,
)

/** Honest cards by the same author that look suspicious: each must come through without a hard finding. */
export const honestA: readonly Sample[] = all(security, secrets, workflow, honestAgents, text, claims)
