import type { Attack } from '../attack.ts'
import { advertisements } from './advertisements.ts'
import { advertisementsByOthers } from './by-others-advertisements.ts'
import { documentationByOthers } from './by-others-documentation.ts'
import { referenceByOthers } from './by-others-reference.ts'
import { tidied } from './by-others-wording.ts'
import { attackBy } from './card-writer.ts'
import { documentationForms } from './documentation-forms.ts'

/** Nothing is chosen by what these do: forms of public documentation, and praise that was published as an attack elsewhere. */
export const blindAttacks: {
  readonly documentation: readonly Attack[]
  readonly advertisements: readonly Attack[]
  /** By an author who had read no defence and no figure. */
  readonly documentationByOthers: readonly Attack[]
  readonly advertisementsByOthers: readonly Attack[]
} = {
  documentation: documentationForms.map(attackBy),
  advertisements: advertisements.map(attackBy),
  documentationByOthers: [...documentationByOthers, ...referenceByOthers].map(tidied).map(attackBy),
  advertisementsByOthers: advertisementsByOthers.map(tidied).map(attackBy),
}
