import type { Attack } from '../attack.ts'
import { advertisements } from './advertisements.ts'
import { attackBy } from './card-writer.ts'
import { documentationForms } from './documentation-forms.ts'

/** Nothing is chosen by what these do: forms of public documentation, and praise that was published as an attack elsewhere. */
export const blindAttacks: {
  readonly documentation: readonly Attack[]
  readonly advertisements: readonly Attack[]
} = {
  documentation: documentationForms.map(attackBy),
  advertisements: advertisements.map(attackBy),
}
