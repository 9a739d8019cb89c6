import { printableLine } from '../../domain/text/printable.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { withRemedy } from '../../domain/remedy-error.ts'
import {
  type Allowance,
  type ChangedPermit,
  type GrantedSandbox,
  permitOf,
} from '../../probing/settings/grants.ts'
import type { Launch } from '../../probing/ports.ts'
import type { NotRun } from '../../probing/run/probe-report.ts'
import { differenceLines } from './text.ts'

/** The line that shows what a card would start and asks, to be typed or pasted. */
export const allowLine = (card: string, platform: NodeJS.Platform): string =>
  `audition allow ${shellWord(printableLine(card), platform)}`

/** A permit that is asked for: what of the launch it stands for, or what is not the same since it was given. */
export function grantLines(
  one: Allowance,
  { changed = [] }: Pick<NoPermission, 'changed'>,
): readonly string[] {
  const permit = permitOf(one)
  const change = changed.find((other) => other.permit === permit)
  const lines =
    change === undefined
      ? (typeof one === 'string' ? [] : one.launch).map((part) => `  ${printableLine(part)}`)
      : changeLines(change)
  return [
    `  to allow: ${printableLine(permit)}`,
    ...[...lines, ...unboundLines(one)].map((text) => `  ${text}`),
  ]
}

/** What a permit of a program does not hold it to. */
const unboundLines = (one: Allowance): readonly string[] =>
  typeof one !== 'string' && one.launch.some((part) => part.startsWith('program: '))
    ? [
        '  not held to: its packages, settings, and files that are loaded in other ways or that git does not keep',
      ]
    : []

/** Why a permit that was given does not hold for what stands there now. */
const changeLines = ({ because, ...change }: ChangedPermit): readonly string[] => [
  because === 'changed'
    ? 'it changed since you allowed it:'
    : 'you allowed it by its name alone, as older versions did; it stands for one launch now:',
  ...differenceLines(change),
]

/** That a sandbox is there which nobody chose, and how to choose it. */
export const chooseSandbox = (available: string): string =>
  `${available} works here: "sandbox: { kind: ${available} }" in settings.yaml keeps programs from your files and the network.`

/** What would hold the processes that a launch starts: nothing to say where there are none. */
export const withinLines = (
  launch: Pick<Launch, 'within'> | null,
  { sandbox, network }: GrantedSandbox = {},
): readonly string[] => {
  if (launch?.within === undefined) return []
  if (sandbox === undefined) return [`  held by: ${printableLine(launch.within)}`]
  const reach = network === true ? 'the network open' : 'no network'
  return [
    `  held by: ${sandbox}: the system to read only; your home, secrets and temporary files hidden; ${reach}`,
    '  `audition allow` takes --no-sandbox, and --network to open that',
  ]
}

/** Why a card was not run, and what to do: lines for people. */
export function notRunLines(card: string, why: NotRun, platform: NodeJS.Platform): readonly string[] {
  if (why.kind !== 'permission') return [cannotRunLine(why)]
  return [
    `not allowed: ${printableLine(why.display)}`,
    ...changedLines(why),
    `  to allow it: ${allowLine(card, platform)}`,
  ]
}

/** What was allowed and is not what stands there now, of a card that may not start. */
export const changedLines = ({ changed = [] }: Pick<NoPermission, 'changed'>): readonly string[] =>
  changed.flatMap((one) => [
    `  ${printableLine(one.permit)}:`,
    ...changeLines(one).map((text) => `    ${text}`),
  ])

type NoPermission = Extract<NotRun, { readonly kind: 'permission' }>

/** The same where no permission is missing. */
export const cannotRunLine = ({ kind, message, remedy }: Exclude<NotRun, { kind: 'permission' }>): string =>
  printableLine(withRemedy(message, kind === 'arguments' ? argumentsRemedy : remedy))

const argumentsRemedy = 'Give --arguments that fit its schema; `audition show` prints it.'
