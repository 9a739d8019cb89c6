import type { Rule } from './rule.ts'
import { embeddedSecrets } from './rules/embedded-secrets.ts'
import { fakesRoles } from './rules/fakes-roles.ts'
import { hiddenCharacters } from './rules/hidden-characters.ts'
import { runsCommands } from './rules/runs-commands.ts'

/** Rules that look at a text as it is published; a new one is a file and its line here. */
export const rules: readonly Rule[] = [hiddenCharacters, fakesRoles, embeddedSecrets, runsCommands]
