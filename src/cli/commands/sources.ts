import { resolve } from 'node:path'
import { bundledWord, isBundledLocation } from '../../catalog/bundled-parts.ts'
import type { Audition } from '../../compose/audition.ts'
import type { Card } from '../../domain/card.ts'
import { contains } from '../../domain/paths.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import type { SourceReview } from '../../store/source-review.ts'
import type { HeldCounts, SourceState } from '../../store/source-state.ts'
import { bundledStanding } from '../../trust/bundled/bundled-choice.ts'
import { storedStanding } from '../../trust/standing.ts'
import { knownSource } from '../ask/known.ts'
import { defineCommand, flag } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../errors.ts'
import { acceptedLines } from '../render/accepted-lines.ts'
import {
  type HeldAgainst,
  heldAgainst,
  heldAgainstText,
  heldLines,
  standingText,
} from '../render/held-lines.ts'
import { flaggedLines, problemLines, shownFlagged } from '../render/problem-lines.ts'
import { modelsText } from '../render/report-lines.ts'
import { left, right, tableOf } from '../render/table.ts'
import { timeText, wrapText } from '../render/text.ts'
import { acceptCommand, distrustCommand, refuseCommand, trustCommand } from './sources/review.ts'

const removeCommand = defineCommand({
  description: [
    'Forgets sources and their cards. Their files are not touched. What you accepted or trusted of them is forgotten too:',
    'read again, they are scanned and held as they come. What a server said and what you refused is remembered.',
  ].join(' '),
  arguments: [
    {
      syntax: '<id...>',
      description:
        'ids of sources, as `audition sources` lists them; a folder: all that was read from it; bundled: the whole bundled catalog',
    },
  ],
  options: {},
  examples: [
    { line: 'audition sources remove old-agents', does: 'its cards no longer come up in searches' },
    { line: 'audition sources remove ./old-catalog', does: 'all of a folder, also one that is gone' },
    {
      line: 'audition sources remove bundled',
      does: 'what ships with Audition; it does not come back by itself',
    },
  ],
  async run({ words }, context) {
    const audition = await context.audition()
    const known = await audition.sources()
    const sources = words
      .filter((word) => word !== bundledWord)
      .flatMap((word) => sourcesNamed(known, word, context.terminal.cwd))
    const isWhole = words.includes(bundledWord)
    const ids = [...new Set([...sources.map(({ id }) => id), ...(isWhole ? [bundledWord] : [])])]
    await audition.removeSources(ids)
    context.print(`Forgot ${ids.map(printableLine).join(', ')}.`)
    if (isWhole || sources.some(isBundled)) {
      context.print('It stays away from now on. `audition index bundled` brings the bundled catalog back.')
    }
    return exitCodes.done
  },
})

/** The source of an id, or those that were read from a file or folder. @throws Error as {@link knownSource} */
function sourcesNamed(known: readonly SourceState[], word: string, cwd: string): readonly SourceState[] {
  const folder = resolve(cwd, word)
  const within = known.filter(({ location }) => contains({ folder, path: location }))
  return within.length === 0 || known.some(({ id }) => id === word) ? [knownSource(known, word)] : within
}

const showCommand = defineCommand({
  description: [
    'Shows one source: where it lies, when it was read, everything wrong with it, its cards that the scan flagged, the',
    'cards it holds (what the scan found in them, and how they differ from those in search), and those you accepted.',
  ].join(' '),
  arguments: [{ syntax: '<id>', description: 'the id of a source, as `audition sources` lists it' }],
  options: { json: flag('--json', 'print the source as JSON') },
  examples: [
    { line: 'audition sources show claude-agents', does: 'its problems with file, field and remedy' },
    { line: 'audition sources show --json github', does: 'with the whole text of what it holds' },
  ],
  async run({ words, flags }, context) {
    const audition = await context.audition()
    const source = knownSource(await audition.sources(), words[0] ?? '')
    const isQuiet = source.held === undefined && source.flagged === undefined
    const review = isQuiet ? null : await reviewOf(audition, source.id)
    const against = await heldAgainst(audition, [source])
    const accepted = (await audition.accepted())
      .filter((one) => one.source === source.id)
      .flatMap(({ cards }) => cards.map(({ card }) => card))
    if (flags.json) await printSourceJson({ source: sourceView(source, against), review, accepted }, context)
    else await printSource({ source, review, against, accepted }, context)
    return exitCodes.done
  },
})

/** `audition sources`. */
export const command = defineCommand({
  description: [
    'Lists the sources in the store: what was read, when, what failed, and how many cards are held. A card is held, and is',
    'not searched, when the scan finds what must not reach a model, or when it changed and its source is not trusted.',
    'Only you release it.',
  ].join(' '),
  options: { json: flag('--json', 'print the sources as JSON') },
  examples: [
    { line: 'audition sources', does: 'every source with its counts' },
    { line: 'audition sources show claude-agents', does: 'one source and its problems' },
    { line: 'audition sources accept github', does: 'take the changes that it holds' },
    { line: 'audition sources remove old-agents', does: 'forget a source' },
  ],
  subcommands: [
    { name: 'show', summary: 'show one source, its problems and what it holds', command: showCommand },
    { name: 'accept', summary: 'put held cards into search', command: acceptCommand },
    { name: 'refuse', summary: 'leave held cards out, and be asked no more', command: refuseCommand },
    { name: 'trust', summary: 'treat sources as your own, changes and all', command: trustCommand },
    {
      name: 'distrust',
      summary: 'hold changes of sources, and their words against them',
      command: distrustCommand,
    },
    { name: 'remove', summary: 'forget sources and their cards', command: removeCommand },
  ],
  async run({ flags }, context) {
    const audition = await context.audition()
    const sources = await audition.sources()
    const against = await heldAgainst(audition, sources)
    if (flags.json) context.printJson(sources.map((source) => sourceView(source, against)))
    else if (sources.length === 0) context.print('Nothing is indexed yet. Run `audition index`.')
    else await printTable(sources, against, context)
    if (!flags.json) await printLeftOut(context)
    if (!flags.json) await printBundled(sources, context)
    return exitCodes.done
  },
})

/** A source as it is printed as JSON, with its standing also where an older store does not hold it. */
const sourceView = (source: SourceState, against: readonly HeldAgainst[]) => {
  const own = against.filter((one) => one.source === source.id)
  return {
    ...source,
    standing: storedStanding(source),
    ...(own.length === 0
      ? {}
      : { standsBack: own.map(({ cards, text, lift }) => ({ cards: cards.length, why: text, lift })) }),
  }
}

async function printTable(
  sources: readonly SourceState[],
  against: readonly HeldAgainst[],
  context: Context,
): Promise<void> {
  const { stdout } = context.terminal
  const holds = sources.some(({ held }) => held !== undefined)
  context.print(
    ...tableOf(sources, stdout, [
      left('source', ({ id }) => id, { paint: stdout.paint.cyan }),
      right('tools', ({ tools }) => tools),
      right('agents', ({ agents }) => agents),
      ...(holds ? [right<SourceState>('held', heldText)] : []),
      left('standing', storedStanding),
      left('indexed', ({ indexedAt }) => timeText(indexedAt)),
      left('state', stateText, { least: 12, overflow: 'wrap' }),
      left('location', ({ location }) => location, { least: 16 }),
    ]),
  )
  if (sources.some(({ held }) => held !== undefined && openOf(held) > 0)) {
    const advice =
      'Held cards are not in search. `audition sources show <id>` says why, and how to accept them.'
    context.print('', stdout.paint.yellow(advice))
  }
  for (const one of against) {
    const said = `${heldAgainstText(one)}; \`${one.lift}\` lifts it.`
    context.print('', ...wrapText(said, stdout.columns ?? 120).map(stdout.paint.yellow))
  }
}

/** What was left out of folders, and belongs to no source. */
async function printLeftOut({ audition, print, terminal: { stdout } }: Context): Promise<void> {
  const problems = (await (await audition()).places()).flatMap((place) => place.problems)
  if (problems.length === 0) return
  print('', stdout.paint.bold('In folders that were read, and not in search:'))
  print(...problemLines(problems, stdout, Number.POSITIVE_INFINITY))
}

/** Says where the bundled catalog is when it is not in the table, and how to have it there. */
async function printBundled(sources: readonly SourceState[], context: Context): Promise<void> {
  if (sources.length === 0) return
  const reviews = await (await context.audition()).reviews()
  const standing = bundledStanding(sources, reviews)
  if (standing === 'on') return
  const { paint } = context.terminal.stdout
  context.print('', paint.dim(bundledTexts[standing]))
}

const bundledTexts = {
  off: 'The bundled catalog is off, since you have sources of your own. `audition index bundled` switches it on, `audition index bundled:demo` the agents of the demonstration.',
  removed: 'The bundled catalog was removed. `audition index bundled` brings it back.',
} as const

const isBundled = ({ location }: SourceState): boolean => isBundledLocation(location)

const heldText = ({ held }: SourceState): string =>
  held === undefined ? '' : `${openOf(held)}${held.refused === undefined ? '' : ` + ${held.refused} refused`}`

/** Held cards that wait for the user. */
const openOf = ({ changed, quarantined }: HeldCounts): number => changed + quarantined

function stateText({ failure, problems, models }: SourceState): string {
  if (models !== undefined && failure === undefined && problems.length === 0) return modelsText(models)
  if (failure !== undefined) return `failed: ${printableLine(failure)}`
  return problems.length === 0 ? 'ok' : countOf(problems.length, 'problem')
}

const reviewOf = async (audition: Audition, id: string): Promise<SourceReview | null> =>
  (await audition.reviews()).find(({ key }) => key === id) ?? null

/** The first cards in search that the scan flagged. @param most - how many; absent: all */
const flaggedCards = async (
  context: Context,
  { flagged }: SourceReview,
  most?: number,
): Promise<readonly Card[]> => (await context.audition()).cards(flagged.slice(0, most))

/** The cards in search that held ones would take the place of. */
const replacedBy = async (context: Context, { held }: SourceReview): Promise<readonly Card[]> =>
  (await context.audition()).cards(held.flatMap(({ replaces }) => replaces ?? []))

/** A source as it is shown, with what is held of it and what the user accepted. */
type ShownSource = {
  readonly source: SourceState
  readonly review: SourceReview | null
  readonly accepted: readonly Card[]
}

async function printSourceJson({ source, review, accepted }: ShownSource, context: Context): Promise<void> {
  const taken = accepted.length > 0 && { acceptedCards: accepted.map(({ id, flags }) => ({ id, flags })) }
  if (review === null) {
    context.printJson({ ...source, ...taken })
    return
  }
  const { heldViews } = await import('../../trust/review/card-differences.ts')
  const { server, otherServer } = review
  const held = { heldCards: heldViews(review, await replacedBy(context, review)) }
  const flagged = await flaggedCards(context, review)
  context.printJson({
    ...source,
    ...(otherServer && { server, otherServer }),
    ...(source.held && held),
    ...(flagged.length > 0 && { flaggedCards: flagged.map(({ id, flags }) => ({ id, flags })) }),
    ...taken,
  })
}

async function printSource(
  { source, review, against, accepted }: ShownSource & { readonly against: readonly HeldAgainst[] },
  context: Context,
): Promise<void> {
  const { stdout, platform } = context.terminal
  const { paint } = stdout
  const flagged = review === null ? [] : await flaggedCards(context, review, shownFlagged)
  context.print(
    `${paint.cyan(printableLine(source.id))}  ${countOf(source.tools, 'tool')}, ${countOf(source.agents, 'agent')}`,
    `read by ${printableLine(source.reader)} from ${printableLine(source.location)}`,
    `indexed ${timeText(source.indexedAt)}`,
    standingText(source),
    ...against.map((one) => paint.yellow(`${heldAgainstText(one)}; \`${one.lift}\` lifts it.`)),
    ...(source.trust === undefined ? [] : [trustTexts[source.trust]]),
    ...(source.flagged === undefined ? [] : flaggedLines(source.flagged, flagged)),
  )
  if (source.failure !== undefined) {
    const failed = paint.red(`The last run failed: ${printableLine(source.failure)}`)
    context.print(failed, ...(source.tools + source.agents === 0 ? [] : ['Its old cards stay.']))
  }
  const problems = problemLines(source.problems, stdout, Number.POSITIVE_INFINITY)
  context.print(...(problems.length === 0 ? ['No problems.'] : ['', ...problems]))
  if (review !== null && source.held !== undefined) {
    const inSearch = await replacedBy(context, review)
    context.print('', ...heldLines({ source: source.id, review, inSearch }, stdout, platform))
  }
  context.print(...acceptedLines(accepted, stdout, platform))
}

const trustTexts = {
  trusted: 'trusted: its changes are taken at once',
  untrusted: 'not trusted: its changes are held until you accept them',
} as const
