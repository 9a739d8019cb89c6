import type { Attack } from '../attack.ts'
import { borrowedCard } from './borrowed-card.ts'
import { braid } from './braid.ts'
import { manual } from './manual.ts'
import { retold } from './retold.ts'
import { reworded } from './reworded.ts'
import { schema } from './schema.ts'
import { splitFields } from './split-fields.ts'
import { suite } from './suite.ts'
import { swarm } from './swarm.ts'
import { twoPart } from './two-part.ts'

/** Attacks whose writer knew the requests and public catalogs, not the defences; nothing was tuned on their results. */
export const unseenAttacks: readonly Attack[] = [
  twoPart,
  suite,
  swarm,
  borrowedCard,
  retold,
  braid,
  splitFields,
  reworded,
  schema,
  manual,
]
