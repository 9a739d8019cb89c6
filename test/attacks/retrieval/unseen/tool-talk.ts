import type { SeededRandom } from '../../../../src/evaluation/statistics/seeded-random.ts'
import { shuffled } from '../words.ts'

/** What any tool may say of itself, whatever it does. */
const talk: readonly string[] = [
  'Returns a JSON object with a status and a result field.',
  'Calls are authenticated with the key of the account.',
  'At most 60 calls per minute are accepted; further calls get status 429.',
  'Invalid arguments are answered with a message that names the argument.',
  'Results are paged, 50 entries to a page.',
  'Dates are expected in ISO 8601 and amounts in minor units.',
  'The operation is idempotent and may be repeated after a timeout.',
  'Missing optional arguments fall back to the defaults of the workspace.',
  'Responses are cached for five minutes.',
  'The language of the answer follows the locale argument.',
  'Every call is written to the audit log of the organisation.',
  'Text arguments are UTF-8 and may have 4,000 characters.',
]

/** Some sentences of ordinary tool talk, none twice. */
export const toolTalk = (random: SeededRandom, sentences: number): string[] =>
  shuffled(random, talk).slice(0, sentences)
