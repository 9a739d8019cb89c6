import type { Bench } from '../../bench/bench.ts'
import { load } from '../../bench/load/load.ts'
import { damageSuite } from './damage/damage.ts'
import { faultsSuite } from './faults/faults.ts'
import { honest } from './honest/honest.ts'
import { firstPlaces } from './retrieval/first-places-suite.ts'
import { retrieval } from './retrieval/retrieval.ts'
import { rugPull } from './rug-pull/rug-pull.ts'
import { children } from './children/children.ts'
import { descriptions } from './descriptions/suite.ts'
import { longTexts } from './long-texts/suite.ts'
import { ssrf } from './ssrf/ssrf.ts'
import { replicas } from './replicas/replicas.ts'
import { storeRaces } from './store-races/store-races.ts'
import { surface } from './surface/surface.ts'

/** All attack suites, in the order they run. */
export const suites: readonly Bench[] = [
  descriptions,
  ssrf,
  surface,
  longTexts,
  rugPull,
  retrieval,
  firstPlaces,
  honest,
  load,
  faultsSuite,
  damageSuite,
  storeRaces,
  replicas,
  children,
]
