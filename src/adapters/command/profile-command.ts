import { existsSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { boundLaunch, type LaunchPart, variableParts } from '../../trust/launches/bound-launch.ts'
import { commandParts, folderParts } from '../../trust/launches/bound-server.ts'
import { displayOf } from '../../catalog/server-entries.ts'
import type { Profile } from '../../catalog/formats/capability-profile.ts'
import type { Card } from '../../domain/card.ts'
import { maskSecrets } from '../../domain/text/secrets.ts'
import { type Launch, RuntimeError } from '../../probing/ports.ts'
import { profileOfCard } from '../../probing/run/profile-file.ts'
import {
  type Unfilled,
  variableFiller,
  type VariableSources,
  childEnvironment,
} from '../processes/expand-variables.ts'
import { findProgram } from '../processes/find-program.ts'
import { commandValues, type KnownValues, knownValues } from '../processes/launch-secrets.ts'
import type { StdioLaunch } from '../processes/process-group.ts'
import { resolveLaunch } from '../processes/resolve-launch.ts'

/** A command as it will be started, and as people are told of it. */
type ProfileCommand = {
  readonly start: StdioLaunch
  readonly launch: Launch
  readonly known: KnownValues
  /** Whether what it does depends on its working folder: the profile names one, or an argument may be a path in it. */
  readonly needsFolder: boolean
}

type Command = NonNullable<Profile['run']>

/**
 * Reads a card's profile again and makes its `run` ready to start. A profile's folder is its working folder unless it
 * names another; one that needs no folder is better started in an empty one.
 *
 * @throws RuntimeError when the profile or what it starts is not there, or comes from the network
 */
export function profileCommand(card: Card, settings: VariableSources): ProfileCommand {
  const { file, profile } = profileOfCard(card)
  const run = runOf(profile, file)
  const refuse = (unfilled: Unfilled) => unfilledVariable(unfilled, file)
  const folder = dirname(file)
  const filler = variableFiller({ ...settings, folder, refuse })
  const command = filler.expand(run.command)
  const args = (run.args ?? []).map(filler.expand)
  const own = filler.expandAll(run.env ?? {})
  const cwd = run.cwd === undefined ? folder : resolve(folder, filler.expand(run.cwd))
  const env = childEnvironment(own, settings.environment, process.platform)
  if ([command, cwd, ...args, ...Object.entries(own).flat()].some((word) => word.includes('\0')))
    throw new RuntimeError(`${file}: "run" holds a NUL character`, 'Correct the values.')
  if (!existsSync(cwd)) {
    throw new RuntimeError(
      `${file}: the working folder ${cwd} does not exist`,
      'Create the folder, or correct "cwd" of "run".',
    )
  }
  const program = findProgram(command, env, cwd)
  if (program === undefined) {
    const shown = maskSecrets(
      command,
      filler.substituted.map(([, value]) => value),
    )
    throw new RuntimeError(
      `${file}: command "${shown}" not found, or not executable`,
      'Install it, or correct "command" of "run".',
    )
  }
  const needsFolder = run.cwd !== undefined || isRelative(command) || args.some(mayBeRelative)
  const start = { command: program, args, env, cwd }
  const launch = launchOf({ run, program, cwd, folder }, settings)
  const resolved = resolveLaunch(start, file)
  const parts: readonly LaunchPart[] = [
    ...commandParts({ command: run.command, args: run.args ?? [] }, resolved),
    ...folderParts(needsFolder ? resolved.folder : 'an empty one'),
    ...variableParts(run.env ?? {}),
  ]
  return {
    start,
    launch: { ...launch, binds: { [launch.permit]: boundLaunch(file, parts) } },
    needsFolder,
    known: knownValues(commandValues({ args, env: own }), filler.substituted),
  }
}

function runOf(profile: Profile, file: string): Command {
  if (profile.run !== undefined) return profile.run
  throw new RuntimeError(
    `${file} has no "run": it is no command`,
    'Run `audition index` on its source again.',
  )
}

type Resolved = {
  readonly run: Command
  readonly program: string
  readonly cwd: string
  readonly folder: string
}

/**
 * What the user allows must say all that decides what runs, and no secret: places are filled in, variables stay names. What
 * the profile puts into the environment stands before the program, as for `env`, and so does the working folder when an
 * argument may be a path in it.
 */
function launchOf(
  { run, program, cwd, folder }: Resolved,
  { catalogFolder, environment }: VariableSources,
): Launch {
  const names = Object.fromEntries(Object.keys(environment).map((name) => [name, `\${${name}}`]))
  const shown = variableFiller({
    environment: { ...names, HOME: environment.HOME, USERPROFILE: environment.USERPROFILE },
    folder,
    catalogFolder,
    refuse: (unfilled) => unfilledVariable(unfilled, folder),
  })
  const args = (run.args ?? []).map(shown.expand)
  const assignments = Object.entries(run.env ?? {}).map(([name, value]) => `${name}=${shown.expand(value)}`)
  const inFolder = args.some(mayBeRelative) ? ['-C', cwd] : []
  const before = [...inFolder, ...assignments]
  const words = before.length === 0 ? [program, ...args] : ['env', ...before, program, ...args]
  const line = displayOf({ transport: 'stdio', command: words[0]!, args: words.slice(1), env: {} })
  return { permit: `command:${line}`, needs: [], display: line, host: null }
}

/** A command with a folder in it that is not the whole path. */
const isRelative = (command: string): boolean => /[\\/]/.test(command) && !isAbsolute(command)

const mayBeRelative = (word: string): boolean =>
  /(?:^|[=:])\.{1,2}(?:[\\/]|$)/.test(word) || (!word.startsWith('-') && !isAbsolute(word))

/** Why a profile's variable cannot be filled in. */
export function unfilledVariable(unfilled: Unfilled, file: string): RuntimeError {
  if (unfilled.kind === 'foreign') {
    return new RuntimeError(
      `${file}: \${${unfilled.reference}} is no variable that can be filled in`,
      `Write an environment variable (\${NAME}) in its place.`,
    )
  }
  return new RuntimeError(
    `${file}: the environment variable ${unfilled.variable} is not set`,
    `Set ${unfilled.variable} in the environment Audition runs in.`,
  )
}
