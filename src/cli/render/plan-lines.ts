import { printableLine } from '../../domain/text/printable.ts'
import type { Plan } from '../../probing/run/probing.ts'
import { allowLine, cannotRunLine, changedLines, withinLines } from '../ask/permission.ts'
import type { Output } from '../terminal.ts'

/** Tasks told of each candidate. */
const shownTasks = 5

/** What a probe would start and ask, and what the settings say to it. */
export function planLines(
  plans: readonly Plan[],
  { paint }: Output,
  platform: NodeJS.Platform,
): readonly string[] {
  return plans.flatMap(({ card, launch, notRun, tasks }, index) => [
    ...(index === 0 ? [] : ['']),
    paint.cyan(printableLine(card.id)),
    ...(launch === null ? [] : [`  would start: ${printableLine(launch.display)}`]),
    ...withinLines(launch),
    ...(notRun === null
      ? ['  allowed']
      : notRun.kind === 'permission'
        ? [
            `  ${paint.yellow('not allowed')}; to allow it: ${allowLine(card.id, platform)}`,
            ...changedLines(notRun),
          ]
        : [`  ${paint.yellow('cannot be run')}: ${cannotRunLine(notRun)}`]),
    ...tasks.slice(0, shownTasks).map((task) => `  asks: ${printableLine(task.text)}`),
    ...(tasks.length > shownTasks ? [`  and ${tasks.length - shownTasks} more`] : []),
  ])
}
