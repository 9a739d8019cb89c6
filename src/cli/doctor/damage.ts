import type { RepairStep } from '../../store/store-repair.ts'
import type { Check, Finding } from './check.ts'

/** Whether all that is stored can be read, and what runs that did not end have left. */
export const damage: Check = {
  name: 'damage',
  async run(context) {
    const audition = await context.audition()
    const { steps } = await audition.repair({ intent: 'look', signal: context.signal })
    if (steps.length === 0) return [{ state: 'ok', message: 'none found' }]
    return steps.map(findingOf)
  },
}

const findingOf = ({ kind, message, remedy }: RepairStep): Finding => ({
  state: kind === 'tidy' ? 'warn' : 'fail',
  message: kind === 'lost' ? `lost: ${message}` : message,
  remedy:
    kind === 'remains' || kind === 'lost'
      ? (remedy ?? 'It cannot be mended from here.')
      : '`audition doctor --repair` does that (where nobody can be asked, with --yes); with --dry-run it says what it would do.',
})
