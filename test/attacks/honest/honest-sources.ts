import type { HonestCase, HonestSource } from './honest-source.ts'
import { documentationAsText } from './sources/documentation.ts'
import { firstPersonVendors } from './sources/first-person.ts'
import { inContext } from './sources/in-context.ts'
import { keywordVendors } from './sources/keyword-lists.ts'
import { longPrompts } from './sources/long-agents.ts'
import { longRequests } from './sources/long-requests.ts'
import { mirrors } from './sources/mirrors.ts'
import { otherLanguages } from './sources/other-languages.ts'
import { quotedDescriptions } from './sources/quoted-descriptions.ts'
import { wholeServers } from './sources/whole-servers.ts'

const sources: readonly HonestSource[] = [
  ...keywordVendors,
  ...wholeServers,
  ...longPrompts,
  ...longRequests,
  ...firstPersonVendors,
  ...otherLanguages,
  ...documentationAsText,
  ...quotedDescriptions,
  ...mirrors,
  ...inContext([...keywordVendors, ...firstPersonVendors, ...documentationAsText]),
]

/** Everything that the honest publishers offer. */
export const honestCards = sources.flatMap(({ cards }) => cards)

export const honestCases: readonly HonestCase[] = sources.flatMap(({ cases }) => cases)
