import type { Trust } from '../../catalog/review/source-review.ts'
import type { Released } from '../../catalog/review/decide.ts'
import { printableLine } from '../../domain/printable.ts'
import { type Command, defineCommand } from '../command.ts'
import { flag } from '../command-options.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-code.ts'

const json = flag('--json', 'print what was released as JSON')

/** `audition sources accept`. */
export const acceptCommand = defineCommand({
  description: [
    'Puts held cards into search: those you name, or all that a source holds. Exactly the texts held now are accepted; a',
    'further change is held again. Read them first: `audition sources show <id>`. Ends with 1 when nothing is held there.',
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

/** `audition sources trust`: changes are taken at once. */
export const trustCommand = trusting(
  'trusted',
  [
    'Takes changes of a source at once from now on, and those it holds. Cards that the scan finds at fault are',
    'quarantined all the same. Bundled sources and files on this machine are trusted unless you say otherwise.',
  ].join(' '),
  { line: 'audition sources trust github', does: 'its changes are reported and taken' },
)

/** `audition sources distrust`: changes are held. */
export const distrustCommand = trusting(
  'untrusted',
  [
    'Holds changes of a source until you accept them; the cards of before stay in search. So it is with live MCP servers',
    'and addresses unless you say otherwise.',
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
    options: { json },
    examples: [example],
    async run({ words, flags }, context) {
      const audition = await context.audition()
      const released = await audition.decideTrust(words, decision)
      if (!flags.json) {
        const ids = released.map(({ source }) => printableLine(source)).join(', ')
        context.print(
          decision === 'trusted'
            ? `Changes of ${ids} are taken from now on.`
            : `Changes of ${ids} are held from now on, until you accept them.`,
        )
      }
      printReleased(released, flags.json, context)
      return exitCodes.done
    },
  })
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
