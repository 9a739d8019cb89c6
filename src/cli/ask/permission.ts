import { inSandbox, sandboxFor } from '../../compose/shells/sandbox-of-permits.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { type Allowance, grantsFor, permitOf } from '../../probing/settings/grants.ts'
import type { Plan, Probing } from '../../probing/run/probing.ts'
import { askLine } from './ask.ts'
import type { Context } from '../context.ts'
import { grantLines, withinLines } from '../render/permit-lines.ts'

/**
 * Asks the person about every launch that the settings do not allow yet. Where nobody can be asked, nothing more is
 * allowed: the report says what to type.
 *
 * @returns what was allowed for this once; those allowed for good are in the settings already
 */
export async function askPermission(
  plans: readonly Plan[],
  probing: Pick<Probing, 'changeAllow'>,
  context: Context,
): Promise<readonly Allowance[]> {
  const { terminal, signal, log } = context
  const allowed: Allowance[] = []
  for (const { card, launch, notRun } of plans) {
    if (notRun?.kind !== 'permission') continue
    if (terminal.stdin.isTTY !== true || !terminal.stderr.isTty) return []
    const chosen = await sandboxFor(launch, {}, await context.audition())
    const grants = inSandbox(grantsFor(notRun.missing, launch ?? {}), chosen).filter(
      (one) => !isGiven(allowed, one),
    )
    if (grants.length === 0) continue
    const { paint } = terminal.stderr
    log(
      `${paint.cyan(printableLine(card.id))} would start: ${paint.bold(printableLine(launch?.display ?? notRun.display))}`,
      ...withinLines(launch, chosen),
      ...grants.flatMap((one) => grantLines(one, notRun)),
    )
    const answer = await askLine('Allow once / always / no? [o/a/N]', terminal, signal)
    const said = answer?.toLowerCase() ?? ''
    if (said === '' || !('once'.startsWith(said) || 'always'.startsWith(said))) continue
    if ('always'.startsWith(said)) await probing.changeAllow({ add: grants })
    allowed.push(...grants)
  }
  return allowed
}

/** Who runs: those that nothing keeps from it, or for whom all that was missing was allowed now. */
export function ableWith(allow: readonly Allowance[], plans: readonly Plan[]): readonly Plan[] {
  const given = new Set(allow.map(permitOf))
  return plans.filter(
    ({ notRun }) =>
      notRun === null || (notRun.kind === 'permission' && notRun.missing.every((one) => given.has(one))),
  )
}

const isGiven = (given: readonly Allowance[], one: Allowance): boolean =>
  given.some((other) =>
    typeof other === 'string' || typeof one === 'string' ? other === one : other.digest === one.digest,
  )
