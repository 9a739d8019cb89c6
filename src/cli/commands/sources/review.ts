import { printableLine } from '../../../domain/text/printable.ts'
import type { Trust } from '../../../store/source-review.ts'
import type { Decision } from '../../../trust/review/decide.ts'
import type { Released } from '../../../trust/review/held-by.ts'
import { type Command, defineCommand, flag } from '../../command.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../errors.ts'

const json = flag('--json', 'print what was released as JSON')

/** `audition sources accept`. */
export const acceptCommand = defineCommand({
  description: [
    'Puts held cards into search: those you name, or all that a source holds and you did not refuse. Exactly the texts held now are accepted; a',
    'further change is held again. Read them first: `audition sources show <id>`. `audition sources refuse` takes it back.',
    'Ends with 1 when nothing is held there.',
  ].join(' '),
  arguments: [{ syntax: '<id...>', description: 'ids of held cards, or of sources for all they hold' }],
  options: { json },
  examples: [
    { line: 'audition sources accept github/create_issue', does: 'one card' },
    { line: 'audition sources accept github', does: 'all that this source holds' },
  ],
  async run({ words, flags }, context) {
    const audition = await context.audition()
    printReleased(await audition.accept(words), flags.json, context)
    return exitCodes.done
  },
})

/** `audition sources refuse`. */
export const refuseCommand = defineCommand({
  description: [
    'Leaves held cards out of search: those you name, or all that a source holds. They are not counted as waiting',
    'any more. A further change of a card is held and counted again. A card that you accepted, and of which nothing waits,',
    'leaves search and is held again. `audition sources accept` takes it back. Ends with 1 when nothing is held there.',
  ].join(' '),
  arguments: [
    {
      syntax: '<id...>',
      description: 'ids of cards that are held or were accepted, or of sources for all they hold',
    },
  ],
  options: { json: flag('--json', 'print what was refused as JSON') },
  examples: [
    { line: 'audition sources refuse github/create_issue', does: 'the card of before stays in search' },
    { line: 'audition sources refuse github/merge', does: 'out of search again, where you had accepted it' },
  ],
  async run({ words, flags }, context) {
    const refused = await (await context.audition()).refuse(words)
    const ids = refused.map(({ source, cards, takenBack }) => ({
      source,
      refused: cards.map(({ card }) => card.id),
      ...(takenBack.length === 0 ? {} : { takenBack }),
    }))
    if (flags.json) context.printJson({ sources: ids })
    else
      for (const { refused: all, takenBack = [] } of ids)
        context.print(...all.map((id) => refusedText(id, takenBack.includes(id))))
    return exitCodes.done
  },
})

const refusedText = (id: string, isTakenBack: boolean): string =>
  isTakenBack
    ? `Taken back: ${printableLine(id)}. You had accepted it. Now it is not in search, but held and refused, until it changes. Nothing stands in its place.`
    : `Refused: ${printableLine(id)}. It is not asked about again until it changes.`

/** `audition sources trust`: changes are taken at once. */
export const trustCommand = trusting(
  'trusted',
  [
    'Treats a source as your own from now on: changes of it, also those it holds, are taken at once, and no defence against',
    'cards that were written to be found puts its cards behind others. What you refused stays refused until it changes, and cards',
    'that the scan finds at fault are quarantined all the same. Bundled sources and files on this machine are trusted with their changes unless you say otherwise.',
  ].join(' '),
  { line: 'audition sources trust github', does: 'its changes are taken, its cards stand back for nothing' },
)

/** `audition sources distrust`: changes are held. */
export const distrustCommand = trusting(
  'untrusted',
  [
    'Holds changes of a source until you accept them; the cards of before stay in search. So it is with live MCP servers',
    'and addresses unless you say otherwise. And its cards that read as written to be found stand behind all others, where those',
    'of a source of which you say nothing stand back a little at most.',
  ].join(' '),
  { line: 'audition sources distrust team-agents', does: 'its changes wait for you' },
)

function trusting(
  decision: Trust,
  description: string,
  example: { readonly line: string; readonly does: string },
): Command {
  return defineCommand({
    description,
    arguments: [{ syntax: '<id...>', description: 'ids of sources, as `audition sources` lists them' }],
    options: { undo: flag('--undo', 'take back what you said of them, be it trust or distrust'), json },
    examples: [
      example,
      {
        line: `audition sources ${decision === 'trusted' ? 'trust' : 'distrust'} --undo github`,
        does: 'as if you had never said anything of it',
      },
    ],
    async run({ words, flags }, context) {
      const audition = await context.audition()
      const made = flags.undo ? 'undecided' : decision
      const released = await audition.decideTrust(words, made)
      if (!flags.json) {
        const ids = released.map(({ source }) => printableLine(source)).join(', ')
        context.print(saidText[made](ids))
      }
      printReleased(released, flags.json, context)
      return exitCodes.done
    },
  })
}

const saidText: { readonly [decision in Decision]: (ids: string) => string } = {
  trusted: (ids) =>
    `Changes of ${ids} are taken from now on, and these cards stand back for no others. What you refused, and what the scan finds at fault, is held all the same. \`audition sources trust --undo\` takes it back.`,
  untrusted: (ids) =>
    `Changes of ${ids} are held from now on, until you accept them; cards written to be found stand behind all others. \`audition sources distrust --undo\` takes it back.`,
  undecided: (ids) => `You say nothing of ${ids} any more: what holds follows from where it lies.`,
}

function printReleased(released: readonly Released[], asJson: boolean, context: Context): void {
  if (asJson) {
    const sources = released.map(({ source, cards }) => ({
      source,
      accepted: cards.map(({ card, replaces }) => ({
        id: card.id,
        ...(replaces === undefined ? {} : { replaces }),
      })),
    }))
    context.printJson({ sources })
    return
  }
  for (const { cards } of released) {
    for (const { card, replaces } of cards) {
      const before =
        replaces === undefined || replaces === card.id ? '' : `, in place of ${printableLine(replaces)}`
      context.print(`In search now: ${printableLine(card.id)}${before}`)
    }
  }
}
