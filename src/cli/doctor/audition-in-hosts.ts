import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import { displayOf } from '../../catalog/server-entries.ts'
import { HarvestError, type McpServerEntry } from '../../catalog/ports.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { hostNames } from '../../hosts/hosts.ts'
import { isFetched, isOwnEntry, pluginEntryName } from '../../hosts/own-entry.ts'
import { packageVersion } from '../../package-version.ts'
import type { Context } from '../context.ts'
import { initCommandOf, ownLaunch } from '../ask/host-launch.ts'
import type { Check, Diagnosis, Thoroughness } from './check.ts'
import { type Configuration, configurations, serversAtOnce } from './hosts.ts'

/** Whether hosts know Audition, and whether it answers as each of them starts it: a line for each. */
export const auditionInHosts: Check = {
  name: 'audition in hosts',
  async run(context, thoroughness) {
    const entries = configurations(context).flatMap((config) =>
      config.servers.filter(isOwnEntry).map((entry) => ({ config, entry })),
    )
    if (entries.length === 0) {
      return [
        {
          state: 'warn',
          message: 'no host starts Audition',
          remedy: `Run \`audition init <host>\` for one of these: ${hostNames.join(', ')}.`,
        },
      ]
    }
    const limit = pLimit(serversAtOnce)
    return Promise.all(entries.map((one) => limit(() => findingOf(one, context, thoroughness))))
  },
}

type OwnEntry = { readonly config: Configuration; readonly entry: McpServerEntry }

async function findingOf(
  { config, entry }: OwnEntry,
  context: Context,
  { servers, timeoutMs }: Thoroughness,
): Promise<Diagnosis> {
  const { host, path, scope } = config
  const where = `${host.title}, ${path}`
  const renew =
    entry.name === pluginEntryName
      ? 'audition init claude-code --plugin'
      : `${initCommandOf(host, scope)} --write --replace`
  if (entry.disabled) {
    const message = `${where}: switched off in ${entry.disabledIn ?? 'this file'}`
    return { state: 'warn', message, remedy: `Switch it on there to have Audition in ${host.title}.` }
  }
  if (isFetched(entry)) {
    const message = `${where}: \`${displayOf(entry.launch)}\` runs whatever somebody publishes under that name; not started`
    return { state: 'fail', message, remedy: `\`${renew}\` writes this installation instead.` }
  }
  const gone = missingFile(entry)
  if (gone !== undefined) {
    const message = `${where}: it starts nothing, for ${printableLine(gone)} does not exist`
    return { state: 'fail', message, remedy: `\`${renew}\` writes this installation instead.` }
  }
  const isOurs = isThisInstallation(entry, context)
  if (scope === 'project' && !isOurs && !servers) {
    const message = `${where}: \`${displayOf(entry.launch)}\` is not what \`audition init\` writes here; not started, for a project may name any program`
    return { state: 'warn', message, remedy: `--servers starts it. \`${renew}\` writes this installation.` }
  }
  try {
    const audition = await context.audition()
    const { name, version, tools } = await audition.tryOwnEntry(entry, timeoutMs, context.signal)
    if (name !== 'audition') {
      const message = `${where}: another server answers, "${name}"`
      return { state: 'fail', message, remedy: `\`${renew}\` writes this installation instead.` }
    }
    return answered({ version, tools }, { where, renew, unseenProgram: unseen(config, entry) })
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error
    return {
      state: 'fail',
      message: `${where}: ${error.message}`,
      ...(error.output === undefined ? {} : { output: error.output }),
      remedy: isOurs ? error.remedy : `\`${renew}\` writes this installation instead.`,
    }
  }
}

function answered(
  { version, tools }: { readonly version: string; readonly tools: number },
  {
    where,
    renew,
    unseenProgram,
  }: { readonly where: string; readonly renew: string; readonly unseenProgram: string | undefined },
): Diagnosis {
  const message = `${where}: answers with ${countOf(tools, 'tool')}, version ${version}`
  const remedy = `\`${renew}\` writes this installation by its path.`
  if (unseenProgram !== undefined) {
    const doubt = `found "${unseenProgram}" in the PATH of this shell, which a desktop application does not see`
    return { state: 'warn', message: `${message}; ${doubt}`, remedy }
  }
  return version === packageVersion()
    ? { state: 'ok', message }
    : { state: 'warn', message: `${message}, where this is ${packageVersion()}`, remedy }
}

/** A program that a desktop application will not find: it is named without its place. */
function unseen({ host }: Configuration, { launch }: McpServerEntry): string | undefined {
  if (launch.transport !== 'stdio' || !host.isDesktop || isAbsolute(launch.command)) return undefined
  return launch.command
}

/** The program, or the script that it is to run, where it is named by its whole path and lies there no more. */
function missingFile({ launch }: McpServerEntry): string | undefined {
  if (launch.transport !== 'stdio') return undefined
  return [launch.command, ...launch.args.slice(0, 1)].find((word) => isAbsolute(word) && !existsSync(word))
}

/** Whether an entry starts what `init` would write now, and nothing but it: a project may not choose what `doctor` starts. */
function isThisInstallation({ launch }: McpServerEntry, { terminal, env }: Context): boolean {
  if (launch.transport !== 'stdio' || launch.cwd !== undefined) return false
  const own = ownLaunch({ cwd: terminal.cwd, env })
  const [main, ...rest] = launch.args
  const [ownMain, ...ownRest] = own.args
  return (
    isSameFile(launch.command, own.command) &&
    isSameFile(main ?? '', ownMain ?? '') &&
    isDeepStrictEqual([withoutOptions(rest), launch.env], [withoutOptions(ownRest), own.env])
  )
}

/** Which host it is for, and what that one may do, does not change what is started. */
const withoutOptions = (args: readonly string[]): readonly string[] =>
  args.filter((word, at) => word !== '--call' && word !== '--for' && args[at - 1] !== '--for')

function isSameFile(one: string, other: string): boolean {
  try {
    return one === other || (isAbsolute(one) && realpathSync(one) === realpathSync(other))
  } catch {
    return false
  }
}
