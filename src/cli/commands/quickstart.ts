import { basename, relative } from 'node:path'
import type { IndexReport } from '../../compose/app.ts'
import { bundledCatalog, demoCatalog } from '../../catalog/bundled-parts.ts'
import { countOf } from '../../domain/text/count-of.ts'
import { printableLine } from '../../domain/text/printable.ts'
import { claudeCode } from '../../hosts/known/claude-code.ts'
import { contains } from '../../domain/paths.ts'
import type { SearchAnswer } from '../../retrieval/answer.ts'
import { defineCommand, flag } from '../command.ts'
import type { Context } from '../context.ts'
import { type ExitCode, exitCodes } from '../errors.ts'
import { blockOf } from '../ask/host-launch.ts'
import { type TourStore, pairLines, probePair, tourStore } from '../ask/tour.ts'
import { hasFailure, reportLines } from '../render/report-lines.ts'
import { answerLines } from '../render/answer-lines.ts'
import { indexView, shownBy } from '../progress.ts'

/** A task with two steps, so that the tour shows how each finds its own candidates. */
const sampleTask = 'Work out the monthly payment of a mortgage, and count the working days until it is due'

/** What the tour is about. */
const tourCatalog = [...bundledCatalog, ...demoCatalog]

/** Candidates of each kind that the tour shows. */
const shownCandidates = 3

/** `audition quickstart`. */
export const command = defineCommand({
  description: [
    'A tour in one screen: indexes the bundled catalog, searches it, runs two agents of it that say the same of',
    'themselves to see which one works, and says how to connect a host. Where you have sources of your own, the tour',
    'has a store of its own, and yours stays as it is.',
  ].join(' '),
  arguments: [{ syntax: '[task...]', description: 'a task of your own to search for' }],
  options: { json: flag('--json', 'print what each step gave as JSON') },
  examples: [
    { line: 'audition quickstart', does: 'with a sample task' },
    { line: 'audition quickstart turn a csv table into json', does: 'with your task' },
    { line: 'audition quickstart --json', does: 'the same for a script' },
  ],
  async run({ words, flags }, context) {
    const tour = await tourStore(context)
    try {
      return await guide(words, flags, tour)
    } finally {
      await tour.end()
    }
  },
})

async function guide(
  words: readonly string[],
  flags: { readonly json: boolean },
  { kind, context }: TourStore,
): Promise<ExitCode> {
  const print = flags.json ? () => {} : context.print
  const { stdout, platform } = context.terminal
  const { bold } = stdout.paint
  const index = await indexCatalog(context)
  if (index.tools + index.agents === 0) {
    print(...reportLines(index, stdout, { mode: 'written', platform }))
    if (flags.json) context.printJson({ index })
    return exitCodes.failed
  }
  print(bold('1. The bundled catalog is indexed'))
  print(
    `${countOf(index.tools, 'tool')} and ${countOf(index.agents, 'agent')}, after ${index.seconds.toFixed(1)} s.`,
    ...(kind === 'user' ? [] : [apart]),
    '',
  )

  const task = words.length > 0 ? words.join(' ') : sampleTask
  print(bold('2. A search in plain words'), `Task: ${printableLine(task)}`, '')
  const answers = await search(task, context)
  print(
    ...answers.flatMap((answer, at) => [...(at === 0 ? [] : ['']), ...answerLines(answer, stdout, 'table')]),
  )

  const demo = index.sources.find(({ location }) => demoCatalog.some((part) => part === location))?.source
  if (demo !== undefined) print('', bold('3. Two agents say the same of themselves: which one works?'))
  const probe = demo === undefined ? null : await probePair(demo, context)
  if (probe !== null) print(...pairLines(probe, stdout, platform))

  const { path, text, config } = blockOf(claudeCode, context)
  const next = nextSteps(kind === 'user' ? demo : undefined)
  print('', bold('4. Let your AI host search by itself'))
  print(`Paste this into ${shortPath(path ?? '', context)}, or run \`audition init claude-code --write\`:`)
  print(text.trimEnd(), '')
  print(bold('Next'), ...nextLines(next, context))
  if (flags.json) {
    const host = { host: claudeCode.name, path, block: config }
    context.printJson({ index, search: { query: task, answers }, probe, host, next })
  }
  return hasFailure(index) ? exitCodes.failed : exitCodes.done
}

const apart =
  'In a store of its own, for this tour: yours stays as it is. `audition index bundled` would add the catalog to it, `audition index bundled:demo` the agents of step 3.'

async function indexCatalog(context: Context): Promise<IndexReport> {
  const audition = await context.audition()
  const locations = tourCatalog
  // Found, not named: the tour does not switch it on.
  return shownBy(indexView(context.terminal.stderr), (onProgress) =>
    audition.index({ locations, found: locations, onProgress, signal: context.signal }),
  )
}

async function search(query: string, context: Context): Promise<readonly SearchAnswer[]> {
  const audition = await context.audition()
  return Promise.all(
    (['tool', 'agent'] as const).map((kind) =>
      audition.search({ kind, query, k: shownCandidates }, context.signal),
    ),
  )
}

/** A command to go on with, and what it does. */
type NextStep = { readonly command: string; readonly does: string }

/** @param demo - the source of the demonstration's agents, where the user's store has it */
const nextSteps = (demo: string | undefined): readonly NextStep[] => [
  { command: 'audition index', does: 'read the MCP servers, sub-agents and skills you have' },
  { command: 'audition search "<task>" --why', does: 'search, and see why each candidate is there' },
  { command: 'audition show <id>', does: 'one tool or agent in full' },
  { command: 'audition probe <id> --dry-run', does: 'see what a probe of it would start and ask' },
  { command: 'audition doctor', does: 'check the installation' },
  ...(demo === undefined
    ? []
    : [
        {
          command: `audition sources remove ${printableLine(demo)}`,
          does: 'forget the demonstration agents',
        },
      ]),
]

function nextLines(steps: readonly NextStep[], { terminal }: Context): readonly string[] {
  const width = Math.max(...steps.map(({ command }) => command.length))
  const lines = steps.map(({ command, does }) => `  ${command.padEnd(width)}   ${does}`)
  const { program, cwd } = terminal
  return basename(program).startsWith('audition')
    ? lines
    : [...lines, `Here, audition is \`node ${relative(cwd, program)}\`; \`npm link\` puts it on your PATH.`]
}

const shortPath = (path: string, { terminal }: Context): string =>
  contains({ folder: terminal.cwd, path }) ? relative(terminal.cwd, path) : path
