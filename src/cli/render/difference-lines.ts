import type { LaunchDifference } from '../../trust/launches/bound-launch.ts'
import { printableLine } from '../../domain/text/printable.ts'

/** What a person agreed to and what stands there now, a line for each part that is not the same. */
export const differenceLines = ({ was, now }: LaunchDifference): readonly string[] => [
  ...said(was).map((part) => `  was  ${printableLine(part)}`),
  ...said(now).map((part) => `  now  ${printableLine(part)}`),
]

const said = (parts: readonly string[]): readonly string[] => (parts.length === 0 ? ['nothing of it'] : parts)

/** The same in one line. */
export const differenceText = ({ was, now }: LaunchDifference): string =>
  printableLine(`it was ${said(was).join('; ')}, and is now ${said(now).join('; ')}`)
