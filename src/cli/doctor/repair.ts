import { isBundledLocation } from '../../catalog/bundled-parts.ts'
import type { SourceState } from '../../store/source-state.ts'
import type { RepairStep, StoreRepair } from '../../store/diagnosis.ts'
import { printable, printableLine } from '../../domain/text/printable.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { isSure } from '../ask/ask.ts'
import type { Context } from '../context.ts'
import { knownLocations } from '../../indexing/places-after.ts'

/** How a person wants the store mended. */
type RepairWish = {
  readonly dryRun: boolean
  /** Whether to go on without asking. */
  readonly yes: boolean
  /** Whether lines for people are left out, since the report is printed as JSON. */
  readonly quiet: boolean
}

/** What came of it. */
export type RepairReport = {
  readonly done: 'nothing to mend' | 'dry run' | 'refused' | 'mended'
  readonly steps: readonly RepairStep[]
  readonly damagedFolder: string | null
  /** Ids of sources that lost cards and were read again. */
  readonly readAgain: readonly string[]
  /** What is still wrong. */
  readonly remaining: readonly string[]
}

/**
 * Mends the store: shows what would be done, asks, does it, and reads sources again whose cards were lost. MCP servers are not started
 * for that: `audition index` asks.
 *
 * @throws UsageError when somebody has to be asked and nobody can be
 */
export async function repair(context: Context, { dryRun, yes, quiet }: RepairWish): Promise<RepairReport> {
  const print = (...lines: readonly string[]): void => (quiet ? undefined : context.print(...lines))
  const audition = await context.audition()
  const { signal } = context
  const seen = await audition.repair({ intent: 'look', signal })
  const { steps } = seen
  if (steps.length === 0) {
    print('Nothing to mend.', '')
    return report('nothing to mend', seen)
  }
  print('Found:', ...stepLines(steps, context))
  const wrong = steps.filter(({ kind }) => kind !== 'tidy').map(({ message }) => message)
  if (dryRun) {
    print('', 'Nothing was changed: this was a dry run.', '')
    return report('dry run', seen, { remaining: wrong })
  }
  if (steps.some(({ kind }) => kind !== 'remains') && !yes && !(await isSure(question, 'mend it', context))) {
    print('Nothing was changed.', '')
    return report('refused', seen, { remaining: wrong })
  }
  const mended = await audition.repair({ intent: 'mend', signal })
  const { readAgain, remaining } = await readLostSources(mended.toReadAgain, context)
  print(
    '',
    'Mended.',
    ...(mended.damagedFolder === null
      ? []
      : [
          `What was damaged, and what could be read of it, lies in ${printableLine(mended.damagedFolder)}. Remove it when you miss nothing.`,
        ]),
    ...(readAgain.length > 0 ? [`Read again: ${readAgain.map(printableLine).join(', ')}.`] : []),
    ...remaining.map(printable),
    '',
  )
  const stays = mended.steps.filter(({ kind }) => kind === 'remains').map(({ message }) => message)
  return report('mended', mended, { readAgain, remaining: [...stays, ...remaining] })
}

const report = (
  done: RepairReport['done'],
  { steps, damagedFolder }: StoreRepair,
  reported: Partial<Pick<RepairReport, 'readAgain' | 'remaining'>> = {},
): RepairReport => ({ done, steps, damagedFolder, readAgain: [], remaining: [], ...reported })

const question = 'Mend this? What is damaged is kept in a folder beside.'

/** Reads the files, folders and addresses again that lost cards came from. */
async function readLostSources(
  lost: readonly SourceState[],
  context: Context,
): Promise<{ readonly readAgain: readonly string[]; readonly remaining: readonly string[] }> {
  const isLive = ({ reader }: SourceState): boolean => reader === 'mcp-server'
  const servers = lost.filter(isLive)
  const files = lost.filter((source) => !isLive(source))
  const audition = await context.audition()
  const ours = files.map(({ location }) => location).filter(isBundledLocation)
  const locations = [...knownLocations(files), ...ours]
  if (files.length > 0)
    await audition.index({ locations, found: locations, harvest: 'unwanted', signal: context.signal })
  const now = new Map((await audition.sources()).map((source) => [source.id, source]))
  const failed = files.filter(({ id }) => now.get(id)?.failure !== undefined)
  return {
    readAgain: files.filter((source) => !failed.includes(source)).map(({ id }) => id),
    remaining: [
      ...failed.map(
        ({ id, location }) =>
          `Cards of "${id}" are gone, and ${location} could not be read. Once it can be: audition index ${shellWord(location, context.terminal.platform)}`,
      ),
      ...servers.map(
        ({ id }) => `Tools of the MCP server "${id}" are gone: \`audition index\` asks it for them.`,
      ),
    ],
  }
}

const words: { readonly [kind in RepairStep['kind']]: string } = {
  mend: 'mend',
  tidy: 'tidy',
  lost: 'lost',
  remains: 'stays',
}

function stepLines(steps: readonly RepairStep[], { terminal }: Context): readonly string[] {
  const { paint } = terminal.stdout
  return steps.flatMap(({ kind, message, remedy }) => {
    const colour = kind === 'lost' || kind === 'remains' ? paint.red : paint.yellow
    const line = `${colour(words[kind].padEnd(5))}  ${printableLine(message)}`
    return remedy === undefined ? [line] : [line, paint.dim(`       ${printable(remedy)}`)]
  })
}
