import { printableLine } from '../domain/printable.ts'
import { shellWord } from '../domain/shell-word.ts'
import { withRemedy } from '../domain/with-remedy.ts'
import type { Launch } from '../probing/ports.ts'
import type { NotRun } from '../probing/probe-report.ts'
import type { Plan, Probing } from '../probing/probing.ts'
import { askLine } from './ask.ts'
import type { Context } from './context.ts'

/** The line that allows what is missing, to be typed or pasted. */
export const allowLine = (missing: readonly string[], platform: NodeJS.Platform): string =>
  `audition allow ${missing.map((permit) => shellWord(printableLine(permit), platform)).join(' ')}`

/**
 * Asks the person about every launch that the settings do not allow yet. Where nobody can be asked, nothing more is
 * allowed: the report says what to type.
 *
 * @returns the permits that were allowed for this once; those allowed for good are in the settings already
 */
export async function askPermission(
  plans: readonly Plan[],
  probing: Probing,
  { terminal, signal, log }: Context,
): Promise<readonly string[]> {
  const allowed = new Set<string>()
  for (const { card, launch, notRun } of plans) {
    if (notRun?.kind !== 'permission') continue
    const missing = notRun.missing.filter((permit) => !allowed.has(permit))
    if (missing.length === 0) continue
    if (terminal.stdin.isTTY !== true || !terminal.stderr.isTty) return []
    const { paint } = terminal.stderr
    log(
      `${paint.cyan(printableLine(card.id))} would start: ${paint.bold(printableLine(launch?.display ?? notRun.display))}`,
      ...withinLines(launch),
      ...missing.map((permit) => `  to allow: ${printableLine(permit)}`),
    )
    const answer = await askLine('Allow once / always / no? [o/a/N]', terminal, signal)
    const said = answer?.toLowerCase() ?? ''
    if (said === '' || !('once'.startsWith(said) || 'always'.startsWith(said))) continue
    if ('always'.startsWith(said)) await probing.changeAllow({ add: missing })
    for (const permit of missing) allowed.add(permit)
  }
  return [...allowed]
}

/** What would hold the processes that a launch starts: nothing to say where there are none. */
export const withinLines = (launch: Pick<Launch, 'within'> | null): readonly string[] =>
  launch?.within === undefined ? [] : [`  held by: ${printableLine(launch.within)}`]

/** Why something was not run, and what to do: lines for people. */
export function notRunLines(why: NotRun, platform: NodeJS.Platform): readonly string[] {
  if (why.kind !== 'permission') return [cannotRunLine(why)]
  return [`not allowed: ${printableLine(why.display)}`, `  to allow it: ${allowLine(why.missing, platform)}`]
}

/** The same where no permission is missing. */
export const cannotRunLine = ({ kind, message, remedy }: Exclude<NotRun, { kind: 'permission' }>): string =>
  printableLine(withRemedy(message, kind === 'arguments' ? argumentsRemedy : remedy))

const argumentsRemedy = 'Give --arguments that fit its schema; `audition show` prints it.'
