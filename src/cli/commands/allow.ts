import { permitForms, permitKinds, takesSandbox } from '../../compose/runtimes.ts'
import { inSandbox, sandboxFor } from '../../compose/shells/sandbox-of-permits.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { withRemedy } from '../../domain/remedy-error.ts'
import {
  type Allowance,
  type GrantedSandbox,
  grantsFor,
  isOfFile,
  needsLaunch,
  patternMistake,
  permitOf,
} from '../../probing/settings/grants.ts'
import type { Launch } from '../../probing/ports.ts'
import type { Probing } from '../../probing/run/probing.ts'
import { askYesNo } from '../ask/ask.ts'
import { defineCommand, flag, unless } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { knownCard } from '../ask/known.ts'
import { chooseSandbox, grantLines, withinLines } from '../render/permit-lines.ts'

const removeCommand = defineCommand({
  description: 'Takes permits off the list. What is running goes on; nothing more of it is started.',
  arguments: [{ syntax: '<permit...>', description: 'permits as `audition allow` lists them' }],
  options: {},
  examples: [
    { line: 'audition allow remove bundled', does: 'not even what ships with Audition may start' },
    { line: 'audition allow remove a2a:https://agents.example', does: 'no agent of that host any more' },
  ],
  async run({ words }, context) {
    const probing = await (await context.audition()).probing()
    const { allow, file } = await probing.settings()
    const unknown = words.find((permit) => !allow.map(permitOf).includes(permit))
    if (unknown !== undefined) {
      throw new Error(
        `"${printableLine(unknown)}" is not on the list in ${file}. Run \`audition allow\` for what is.`,
      )
    }
    await probing.changeAllow({ remove: words })
    context.print(`No longer allowed: ${words.map(printableLine).join(', ')}`)
    return exitCodes.done
  },
})

const oneOf = (forms: readonly string[]): string =>
  [forms.slice(0, -1).join(', '), ...forms.slice(-1)].filter((part) => part !== '').join(' or ')

/** `audition allow`. */
export const command = defineCommand({
  description: [
    'Says what probes and runs may start, and adds to it. Given the id of an agent or a tool, it shows what that would',
    'start and asks. The permit stands for that launch alone: program, arguments, folder, variables, address, headers.',
    'What an agent is told to do counts too. When one of them changes it is asked for again, and what is not the same is shown. A permit can also be a line:',
    `${oneOf(permitForms.filter((form) => !isOfFile(form)))}; the start of ${oneOf(permitForms.filter(isOfFile))}`,
    'with a * at its end, for whatever goes by such a name, after a change too; or the word "bundled"',
    'for what ships with Audition. A command of an agent gets the sandbox that works here, without the network, where',
    'settings.yaml chooses none for all programs. AI hosts cannot change the list.',
  ].join(' '),
  arguments: [{ syntax: '[permit...]', description: 'permits, or ids; none: print the list' }],
  options: {
    yes: flag('-y, --yes', 'allow what the ids would start without asking'),
    sandbox: unless('--no-sandbox', 'start commands of agents without the sandbox that works here'),
    network: flag('--network', 'let commands of agents reach the network from their sandbox'),
    json: flag('--json', 'print the list as JSON'),
  },
  examples: [
    { line: 'audition allow', does: 'what is allowed, and the file that says so' },
    { line: 'audition allow team/clerk', does: 'see what the agent would start, then decide' },
    { line: 'audition allow a2a:https://agents.example', does: 'the agents of one host' },
    { line: "audition allow 'mcp:/home/me/.mcp.json#*'", does: 'whatever servers one configuration names' },
    { line: 'audition allow remove bundled', does: 'take a permit off the list' },
  ],
  subcommands: [{ name: 'remove', summary: 'take permits off the list', command: removeCommand }],
  async run({ words, flags }, context) {
    const probing = await (await context.audition()).probing()
    if (words.length === 0) {
      await printList(probing, flags, context)
      return exitCodes.done
    }
    const permits: Allowance[] = []
    for (const word of words) {
      if (isPattern(word)) permits.push(word)
      else permits.push(...(await permitsOf(word, flags, context)))
    }
    const { allow } = await probing.settings()
    const added = [...new Set(permits)].filter((one) => typeof one !== 'string' || !allow.includes(one))
    const now = added.length === 0 ? allow : await probing.changeAllow({ add: added })
    if (flags.json) context.printJson({ allow: now })
    else if (added.length === 0) context.print('Nothing to add.')
    else context.print('Allowed from now on:', ...added.map((one) => `  ${printableLine(permitOf(one))}`))
    return exitCodes.done
  },
})

/** @throws UsageError when it looks like a permit and is none, or stands for a launch that nobody has seen */
function isPattern(word: string): boolean {
  const mistake = patternMistake(word, permitKinds)
  if (mistake === null && needsLaunch(word))
    throw new UsageError(
      `"${word}" says by its name alone what may start. Give the id of the agent or tool instead: what it starts is shown, and no other launch is allowed by that. With a * at its end it stands for whatever goes by that name, after a change too.`,
    )
  if (mistake === null) return true
  if (/^[a-z\d]+:/.test(word) || word === '*') throw new UsageError(`"${word}": ${mistake}.`)
  return false
}

/** What a card would need, after a person said yes to it. */
async function permitsOf(
  id: string,
  { yes, sandbox, network }: { readonly yes: boolean; readonly sandbox: boolean; readonly network: boolean },
  context: Context,
): Promise<readonly Allowance[]> {
  const audition = await context.audition()
  const card = await knownCard(audition, id)
  const probing = await audition.probing()
  const [plan] = await probing.plan({ cards: [card], tasks: { kind: 'given', tasks: [] } })
  const { launch, notRun } = plan!
  const chosen = await sandboxFor(launch, { sandbox, network }, audition)
  const isAllowed = notRun === null || (launch?.fault !== undefined && notRun.kind === 'runtime' && !sandbox)
  if (isAllowed && launch !== null && takesSandbox(launch.permit) && (!sandbox || network))
    return inSandbox(grantsFor([launch.permit], launch), chosen)
  if (notRun === null) {
    context.log(`${printableLine(id)} is allowed already.`)
    return []
  }
  if (notRun.kind !== 'permission') throw new Error(printableLine(withRemedy(notRun.message, notRun.remedy)))
  const grants = inSandbox(grantsFor(notRun.missing, launch ?? {}), chosen)
  context.log(
    `${printableLine(id)} would start: ${printableLine(launch?.display ?? notRun.display)}`,
    ...withinLines(launch, chosen),
    ...(await sandboxLines(launch, chosen, context)),
    ...grants.flatMap((one) => grantLines(one, notRun)),
  )
  if (yes) return grants
  const answer = await askYesNo('Allow this?', context.terminal, context.signal)
  if (answer === null) {
    throw new Error('nobody can be asked here. Add --yes, or give the permits themselves.')
  }
  return answer ? grants : []
}

/** A sandbox that would hold what is asked about, where none is chosen. */
async function sandboxLines(
  launch: Launch | null,
  { sandbox }: GrantedSandbox,
  context: Context,
): Promise<readonly string[]> {
  if (launch?.within === undefined || sandbox !== undefined) return []
  const { available } = await (await context.audition()).containment()
  return available === undefined ? [] : [`  ${chooseSandbox(available)}`]
}

/** An entry of the list, with the launch that it stands for. */
const entryLines = (one: Allowance): readonly string[] => [
  printableLine(permitOf(one)),
  ...(typeof one === 'string'
    ? needsLaunch(one)
      ? ['  by its name alone: it is asked for once more']
      : []
    : [...one.launch.map((part) => `  ${printableLine(part)}`), ...heldLines(one)]),
]

const heldLines = ({ sandbox, network }: GrantedSandbox): readonly string[] =>
  sandbox === undefined
    ? []
    : [`  held by: ${sandbox}, ${network === true ? 'the network open' : 'no network'}`]

async function printList(
  probing: Probing,
  { json }: { readonly json: boolean },
  context: Context,
): Promise<void> {
  const { allow, file } = await probing.settings()
  if (json) context.printJson({ file, allow })
  else {
    context.print(
      ...(allow.length === 0 ? ['Nothing may be started.'] : allow.flatMap(entryLines)),
      '',
      context.terminal.stdout.paint.dim(`Settings: ${file}`),
    )
  }
}
