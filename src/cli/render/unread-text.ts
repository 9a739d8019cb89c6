import { countOf } from '../../domain/text/count-of.ts'
import type { TooManyToRead } from '../../store/diagnosis.ts'

/** Which cards are searched without the model's reader, why, and what changes it. */
export function unreadText({ kinds, mostCards }: TooManyToRead): string {
  const what = kinds.map((kind) => `${kind}s`).join(' and ')
  return `More than ${countOf(mostCards, 'card')}: the ${what} are not read, and ranked without the reader. AUDITION_READER_CARDS raises the limit.`
}
