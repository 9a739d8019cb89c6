import type { IndexReport } from '../../compose/app.ts'
import type { CardKind } from '../../domain/card.ts'
import type { Sending } from '../../store/catalog-writer.ts'
import type { ReadingPlan } from '../ask/reading-plan.ts'
import { defineCommand, type Flags, flag, number, text, unless } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { hasFailure, reportLines, sendingLine } from '../render/report-lines.ts'
import { indexView } from '../progress.ts'
import { defined } from '../../domain/defined.ts'
import { askYesNo } from '../ask/ask.ts'

const options = {
  as: text('--as <name>', 'name of the source, when one is given'),
  harvest: unless('--no-harvest', 'start no MCP server: read files only'),
  timeout: number('--timeout <seconds>', 'longest wait for one MCP server (default: 30)', [0.1, 3600]),
  refresh: flag('--refresh', 'ask MCP servers again that answered or failed a short while ago'),
  enrich: flag(
    '--enrich',
    'have the model in AUDITION_LLM write of cards of few words when to use them, a request and tags; it asks first',
  ),
  dryRun: flag('--dry-run', 'say what would change, change nothing'),
  yes: flag(
    '-y, --yes',
    'start the MCP servers it finds, and send cards to models that others run, without asking',
  ),
  lenient: flag(
    '--lenient',
    'end with 0 though files or sources were left out, if the rest is in the index: for jobs and containers',
  ),
  json: flag('--json', 'print the report as JSON'),
}

/** `audition index`. */
export const command = defineCommand({
  description: [
    'Reads tools and agents into the store. A source is a file, a folder or a URL; the format is recognised.',
    'Without a source it looks where AI hosts keep their MCP servers, sub-agents and skills, and reads what it',
    'finds, and everything indexed before; where that is nothing, the catalog that ships with Audition. It says which',
    'MCP servers it would start to list their tools, and asks first: all, none, or those you choose; where nobody can answer it starts only those whose configuration you name.',
    'A server that answered is asked again after a day, or when its configuration changed; one that failed, after a growing pause.',
    'Cards that the scan finds at fault, and changes of live servers and addresses, are held until you accept them.',
    'No key is needed.',
  ].join(' '),
  arguments: [{ syntax: '[source...]', description: 'files, folders or URLs; none: what your hosts have' }],
  options,
  examples: [
    { line: 'audition index', does: 'what Claude, VS Code, Cursor and others have here' },
    { line: 'audition index ~/agents openapi.json', does: 'a folder of agents and an API' },
    { line: 'audition index .mcp.json --timeout 60', does: 'the tools of the MCP servers it names' },
    { line: 'audition index --refresh', does: 'ask every MCP server again' },
    { line: 'audition index agents.jsonl --as team', does: 'a source with a name of your choice' },
    { line: 'audition index bundled', does: 'the bundled catalog too, beside what is yours' },
    { line: 'audition index bundled:demo', does: 'the agents of `audition quickstart`' },
    { line: 'audition index --enrich', does: 'more words for cards that have few, written by AUDITION_LLM' },
    { line: 'audition index --dry-run --no-harvest', does: 'what would change' },
    { line: 'audition index --yes --json', does: 'for a script' },
  ],
  async run({ words, flags }, context) {
    if (flags.as !== undefined && words.length !== 1) {
      throw new UsageError('--as names one source. Give exactly one file, folder or URL with it.')
    }
    if (words.some((word) => word.trim() === '')) {
      throw new UsageError('A source is empty. Give a file, a folder or a URL.')
    }
    let committed = 0
    const onCommitted = (cards: number): void => {
      committed = cards
    }
    try {
      const { discoveredPlan, namedPlan } = await import('../ask/reading-plan.ts')
      const plan =
        words.length > 0 ? await namedPlan(words, flags, context) : await discoveredPlan(flags, context)
      const report = await indexAll(plan, flags, { ...context, onCommitted })
      if (!flags.dryRun && wroteNothing(report)) await requireSearchable(report, context)
      await printReport(report, flags, context)
      return hasFailure(report) && !flags.lenient ? exitCodes.failed : exitCodes.done
    } catch (error) {
      if (!context.signal.aborted) throw error
      context.log(
        committed === 0
          ? 'Stopped. The last good index stays as it was.'
          : `Stopped. The index has ${committed.toLocaleString('en')} cards and stays so; the same command goes on from there.`,
      )
      return exitCodes.interrupted
    }
  },
})

type IndexFlags = Flags<typeof options>

async function indexAll(
  plan: ReadingPlan,
  flags: IndexFlags,
  context: Context & { readonly onCommitted: (cards: number) => void },
): Promise<IndexReport> {
  const audition = await context.audition()
  let progress = indexView(context.terminal.stderr)
  try {
    return await audition.index({
      ...plan,
      refresh: flags.refresh,
      dryRun: flags.dryRun,
      enrich: flags.enrich,
      ...defined({ as: flags.as, harvestTimeoutMs: flags.timeout && Math.round(flags.timeout * 1000) }),
      agreeToSend: async (sending) => {
        progress.stop()
        const isAgreed = await agreedToSend(sending, flags, context)
        progress = indexView(context.terminal.stderr)
        return isAgreed
      },
      onProgress(event) {
        if (event.step === 'committed') context.onCommitted(event.cards)
        progress.show(event)
      },
      signal: context.signal,
    })
  } finally {
    progress.stop()
  }
}

const wroteNothing = ({ sources }: IndexReport): boolean =>
  sources.every(({ added, changed, removed }) => added + changed + removed === 0)

/**
 * A run that had nothing to write has not met what is stored: jobs that run it would stay green over a damaged store.
 *
 * @throws StoreError when it cannot be searched
 */
async function requireSearchable({ tools, agents }: IndexReport, context: Context): Promise<void> {
  const audition = await context.audition()
  for (const [kind, count] of Object.entries({ tool: tools, agent: agents }) as [CardKind, number][])
    if (count > 0) await audition.search({ query: 'any', kind, k: 1, ranker: 'lexical' }, context.signal)
}

/** Shows what the model of others would be sent, and asks. */
async function agreedToSend(
  sending: Sending,
  { yes }: Pick<IndexFlags, 'yes'>,
  { terminal, log, signal }: Context,
): Promise<boolean> {
  log(sendingLine(sending))
  if (yes) return true
  const answer = await askYesNo('Send them?', terminal, signal)
  if (answer === null) log('Not sent, for nobody can be asked here: add --yes to send them.')
  return answer === true
}

async function printReport(report: IndexReport, flags: IndexFlags, context: Context): Promise<void> {
  if (flags.json) {
    context.printJson(report)
    return
  }
  const { stdout, platform } = context.terminal
  const mode = flags.dryRun ? 'dryRun' : 'written'
  context.print(...reportLines(report, stdout, { mode, platform }))
  if (stdout.isTty && !flags.dryRun && !hasFailure(report) && report.tools + report.agents > 0) {
    context.print('', stdout.paint.dim('Next: `audition search "<task>"`, or `audition init <host>`.'))
  }
}
