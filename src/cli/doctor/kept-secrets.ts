import { countOf } from '../../domain/text/count-of.ts'
import type { Check } from './check.ts'

/** Whether what is kept of runs holds tokens that show by their shape what they are: an older Audition kept them as they came. */
export const keptSecrets: Check = {
  name: 'record',
  async run(context) {
    const probing = await (await context.audition()).probing()
    const { outcomes, transcripts } = await probing.maskKept({ cards: [], write: false })
    if (outcomes + transcripts === 0)
      return [{ state: 'ok', message: 'no token stands in what is kept of runs' }]
    return [
      {
        state: 'warn',
        message: `what looks like a token stands in ${countOf(outcomes, 'outcome')} and ${countOf(transcripts, 'transcript')}`,
        remedy: '`audition record mask` masks it there, and what else is known as secret.',
      },
    ]
  },
}
