import type { Audition } from '../../../compose/audition.ts'
import { texts } from '../../command.ts'
import { UsageError } from '../../errors.ts'

/** What of the store others may find. */
export const sharingOptions = {
  share: texts(
    '--share <source>',
    'with --http: let anyone who reaches the server find this source, without a token: /.well-known/ai-catalog.json, /search',
  ),
}

/** @throws UsageError for a source that is not there: a slip of the pen would share nothing, and say nothing */
export async function assertShareable(share: readonly string[], audition: Audition): Promise<void> {
  if (share.length === 0) return
  const known = (await audition.sources()).map(({ id }) => id)
  const unknown = share.find((source) => !known.includes(source))
  if (unknown !== undefined)
    throw new UsageError(
      `--share ${unknown}: there is no such source. Sources: ${known.join(', ')}. \`audition index\` adds one.`,
    )
}
