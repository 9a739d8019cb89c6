import { basename, relative } from 'node:path'
import type { IndexReport } from '../../app.ts'
import { countOf } from '../../domain/count-of.ts'
import { printableLine } from '../../domain/printable.ts'
import { bundledCatalog, demoCatalog } from '../bundled-catalog.ts'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-code.ts'
import { blockOf } from './init.ts'

/** A task with two steps, so that the tour shows how each finds its own candidates. */
const sampleTask = 'Work out the monthly payment of a mortgage, and count the working days until it is due'

/** Candidates of each kind that the tour shows. */
const shownCandidates = 3

/** `audition quickstart`. */
export const quickstartCommand = defineCommand({
  description: [
    'A tour in one screen: indexes the bundled catalog, searches it, runs two agents of it that say the same of',
    'themselves to see which one works, and says how to connect a host.',
  ].join(' '),
  arguments: [{ syntax: '[task...]', description: 'a task of your own to search for' }],
  options: {},
  examples: [
    { line: 'audition quickstart', does: 'with a sample task' },
    { line: 'audition quickstart turn a csv table into json', does: 'with your task' },
  ],
  async run({ words }, context) {
    const { print } = context
    const { paint } = context.terminal.stdout
    const report = await indexCatalog(context)
    const { hasFailure, reportLines } = await import('../report-lines.ts')
    if (report.tools + report.agents === 0) {
      print(
        ...reportLines(report, context.terminal.stdout, {
          mode: 'written',
          platform: context.terminal.platform,
        }),
      )
      return exitCodes.failed
    }
    print(paint.bold('1. The bundled catalog is indexed'))
    print(
      `${countOf(report.tools, 'tool')} and ${countOf(report.agents, 'agent')}, after ${report.seconds.toFixed(1)} s.`,
      '',
    )

    const task = words.length > 0 ? words.join(' ') : sampleTask
    print(paint.bold('2. A search in plain words'), `Task: ${printableLine(task)}`, '')
    await printAnswers(task, context)

    const demo = report.sources.find(({ location }) => demoCatalog.includes(location))?.source
    if (demo !== undefined) await printProbe(demo, context)

    const block = blockOf('claude-code', context)
    print('', paint.bold('4. Let your AI host search by itself'))
    print(`Paste this into ${shortPath(block.path, context)}, or run \`audition init claude-code --write\`:`)
    print(block.text.trimEnd(), '')
    print(paint.bold('Next'), ...nextLines(report, context))
    return hasFailure(report) ? exitCodes.failed : exitCodes.done
  },
})

async function indexCatalog(context: Context): Promise<IndexReport> {
  const audition = await context.audition()
  const { progressView } = await import('../progress.ts')
  const progress = progressView(context.terminal.stderr)
  try {
    return await audition.index({
      locations: [...bundledCatalog, ...demoCatalog],
      onProgress: (event) => progress.show(event),
      signal: context.signal,
    })
  } finally {
    progress.stop()
  }
}

/** Two agents with one description, of which one is quietly broken: ranked before and after they were run. */
async function printProbe(demo: string, context: Context): Promise<void> {
  const { probePair } = await import('../probe-pair.ts')
  context.print(
    '',
    context.terminal.stdout.paint.bold('3. Two agents say the same of themselves: which one works?'),
  )
  context.print(...(await probePair(demo, context)))
}

async function printAnswers(task: string, context: Context): Promise<void> {
  const audition = await context.audition()
  const { answerLines } = await import('../answer-lines.ts')
  const search = (kind: 'tool' | 'agent') =>
    audition.search({ kind, query: task, k: shownCandidates }, context.signal)
  const [tools, agents] = await Promise.all([search('tool'), search('agent')])
  const { stdout } = context.terminal
  context.print(...answerLines(tools, stdout, 'table'), '', ...answerLines(agents, stdout, 'table'))
}

function nextLines(report: IndexReport, { terminal }: Context): readonly string[] {
  const demo = report.sources.find(({ location }) => demoCatalog.includes(location))
  const steps: readonly (readonly [string, string])[] = [
    ['audition index', 'read the MCP servers, sub-agents and skills you have'],
    ['audition search "<task>" --why', 'search, and see why each candidate is there'],
    ['audition show <id>', 'one tool or agent in full'],
    ['audition probe <id> --dry-run', 'see what a probe of it would start and ask'],
    ['audition doctor', 'check the installation'],
    ...(demo === undefined
      ? []
      : [
          [
            `audition sources remove ${printableLine(demo.source)}`,
            'forget the demonstration agents',
          ] as const,
        ]),
  ]
  const width = Math.max(...steps.map(([line]) => line.length))
  const lines = steps.map(([line, does]) => `  ${line.padEnd(width)}   ${does}`)
  const { program, cwd } = terminal
  return basename(program).startsWith('audition')
    ? lines
    : [...lines, `Here, audition is \`node ${relative(cwd, program)}\`; \`npm link\` puts it on your PATH.`]
}

const shortPath = (path: string, { terminal }: Context): string => {
  const short = relative(terminal.cwd, path)
  return short.startsWith('..') ? path : short
}
