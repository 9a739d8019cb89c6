import type { Rule } from './rule.ts'
import { hiddenCharacters } from './rules/hidden-characters.ts'
import { overrides } from './rules/overrides.ts'

/** All rules; a new one is a file and its line here. */
export const rules: readonly Rule[] = [hiddenCharacters, overrides]
