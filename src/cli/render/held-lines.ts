import type { Audition } from '../../compose/audition.ts'
import type { Card } from '../../domain/card.ts'
import type { Finding } from '../../domain/finding.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { shellWord } from '../../domain/text/shell-word.ts'
import { type SourceReason, sourceReasons } from '../../retrieval/defences/sources-standing-back.ts'
import { isQuarantined, type SourceReview } from '../../store/source-review.ts'
import type { SourceState } from '../../store/source-state.ts'
import {
  type Difference,
  type HeldView,
  heldViews,
  serverDifferences,
} from '../../trust/review/card-differences.ts'
import { isBound, storedStanding } from '../../trust/standing.ts'
import type { Output } from '../terminal.ts'
import { wrapText } from './text.ts'

/** Lines of one card's comparison that are shown; the rest are counted. */
const shownLines = 40

/** What a source holds, for people: each card with why and how it differs, and how to decide. */
export function heldLines(
  {
    source,
    review,
    inSearch,
  }: { readonly source: string; readonly review: SourceReview; readonly inSearch: readonly Card[] },
  output: Output,
  platform: string,
): readonly string[] {
  const { paint } = output
  const views = heldViews(review, inSearch)
  if (views.length === 0) return []
  const server = serverDifferences(review.server, review.otherServer)
  const command = (words: string): string => `  audition sources ${words}`
  const word = (text: string): string => shellWord(printableLine(text), platform)
  const changed = views.filter((one) => !isQuarantined(one)).length
  const open = views.filter((one) => !one.refused)
  const first = open[0] ?? views[0]!
  return [
    paint.bold(`Held: ${countOf(views.length, 'card')}, not in search`),
    ...(server.length === 0 ? [] : ['', 'Another server answers than the one whose cards were taken:']),
    ...differenceLines(server, output),
    ...views.flatMap((view) => ['', ...viewLines(view, output)]),
    '',
    'To decide, after reading them:',
    `${command(`accept ${word(first.card.id)}`)}  ${paint.dim('this one')}`,
    `${command(`refuse ${word(first.card.id)}`)}  ${paint.dim('not this one, and do not ask again until it changes')}`,
    ...(open.length === 0
      ? []
      : [
          `${command(`accept ${word(source)}`)}  ${paint.dim(open.length === views.length ? 'all of them' : 'all that you did not refuse')}`,
        ]),
    ...(changed === 0
      ? []
      : [`${command(`trust ${word(source)}`)}  ${paint.dim('take changes of this source from now on')}`]),
    'What you do not accept stays as it is.',
  ]
}

function viewLines(view: HeldView, output: Output): readonly string[] {
  const { paint } = output
  const mark = view.refused
    ? paint.dim('refused    ')
    : isQuarantined(view)
      ? paint.red('quarantined')
      : paint.yellow('changed    ')
  return [
    `${mark}  ${paint.cyan(printableLine(view.card.id))}  ${paint.dim(`since ${view.since.slice(0, 16).replace('T', ' ')}`)}`,
    ...wrapped(whyHeld(view), output),
    ...view.findings.flatMap((finding) => findingLines(finding, output)),
    ...differenceLines(view.differences, output),
  ]
}

/** Why, and what stands in search meanwhile. */
function whyHeld({ card, change, replaces, former, findings, refused }: HeldView): string {
  const was = printableLine(replaces ?? former?.id ?? '')
  const why = {
    text: 'It says something else than when it was taken',
    name: `It is ${was} under another name`,
    server: 'It comes from another server than the one that was taken',
  }
  const reasons = [
    change === undefined ? '' : why[change],
    isQuarantined({ findings }) ? 'The scan found what must not reach a model' : '',
    change === undefined && !isQuarantined({ findings }) && refused
      ? 'You accepted it, and took that back'
      : '',
  ].filter((reason) => reason !== '')
  const meanwhile =
    replaces === undefined
      ? 'nothing stands in its place'
      : replaces === card.id
        ? 'the card of before stays in search'
        : `${was} stays in search`
  return `${reasons.join('. ')}; ${meanwhile}.`
}

function findingLines(
  { rule, severity, field, message, excerpt }: Finding,
  output: Output,
): readonly string[] {
  const { paint } = output
  const mark = severity === 'hard' ? paint.red('hard') : paint.yellow('soft')
  const where = printableLine(field)
  const said = printableLine(excerpt)
  return [
    `  ${mark}  ${rule}  ${where}: ${printableLine(message)}`,
    ...(said === '' ? [] : wrapped(`"${said}"`, output, '        ').map(paint.dim)),
  ]
}

/** The text of differences is visible already: nothing in it can move the cursor or hide. */
function differenceLines(differences: readonly Difference[], output: Output): readonly string[] {
  const { paint } = output
  const lines = differences.flatMap(({ field, removed, added }) => [
    paint.dim(`  ${field}`),
    ...removed.flatMap((line) => wrapped(`- ${line}`, output, '  ').map(paint.red)),
    ...added.flatMap((line) => wrapped(`+ ${line}`, output, '  ').map(paint.green)),
  ])
  const more = lines.length - shownLines
  return more > 0
    ? [...lines.slice(0, shownLines), paint.dim(`  … ${countOf(more, 'more line')}; --json has them all`)]
    : lines
}

const wrapped = (text: string, { columns }: Output, indent = '  '): readonly string[] =>
  wrapText(text, Math.max(40, columns ?? 120) - indent.length).map((line) => `${indent}${line}`)

/** What the defences hold against cards of a source. */
export type HeldAgainst = SourceReason & { readonly source: string }

/** What the defences hold against the sources, whatever is asked for. The user's own are never asked about. */
export async function heldAgainst(
  audition: Pick<Audition, 'standingBack'>,
  sources: readonly SourceState[],
): Promise<readonly HeldAgainst[]> {
  const bound = new Set(sources.filter((state) => isBound(storedStanding(state))).map(({ id }) => id))
  if (bound.size === 0) return []
  const found = await audition.standingBack()
  return found
    .filter(({ source }) => bound.has(source))
    .flatMap((one) => sourceReasons(one).map((reason) => ({ source: one.source, ...reason })))
}

/** One sentence, without the command that lifts it. */
export const heldAgainstText = ({ source, cards, text }: HeldAgainst): string =>
  `${countOf(cards.length, 'card')} of "${printableLine(source)}" ${text}`

/** Whose words a source holds, in a sentence. What the scan or a change holds is not in search, whoever's it is. */
export function standingText(source: SourceState): string {
  const { changed = 0, quarantined = 0, refused = 0 } = source.held ?? {}
  const held = changed + quarantined + refused
  const said = standingTexts[storedStanding(source)]
  return held === 0
    ? said
    : `${said}. ${countOf(held, 'card')} of it ${held === 1 ? 'is' : 'are'} held and not in search: see below`
}

const standingTexts = {
  installed: 'installed: yours; its cards stand back for no others',
  accepted: 'accepted: you trust it as if it were yours; its cards stand back for no others',
  stranger: 'stranger: others published it; cards written to be found stand back a little',
  newcomer:
    'stranger: others published it, not long ago; yours and longer known cards that serve lead its cards',
  distrusted: 'distrusted by you: cards written to be found stand behind all others',
} as const
