import { type Command, defineCommand } from './command.ts'
import { packageVersion } from '../package-version.ts'
import { exitCodes } from './errors.ts'

const version = defineCommand({
  description: 'Prints the version.',
  options: {},
  examples: [{ line: 'audition version', does: 'the same as audition --version' }],
  async run(_call, context) {
    context.print(packageVersion())
    return exitCodes.done
  },
})

/**
 * Every command, in the order of `audition --help`: its name, one line for that, its file, loaded only when it is called, and the name by which AI hosts
 * call the same.
 */
const table: readonly (readonly [
  name: string,
  summary: string,
  load: () => Promise<{ readonly command: Command }>,
  alias?: string,
])[] = [
  [
    'index',
    'read tools and agents from files, folders, URLs and MCP servers into the store',
    () => import('./commands/index.ts'),
  ],
  ['search', 'find the tools and agents for a task', () => import('./commands/search.ts')],
  [
    'compose',
    'put an agent together for a task, from the tools and models you have',
    () => import('./commands/compose.ts'),
  ],
  [
    'export',
    'write an agent for Agno, LangGraph, CrewAI or Agent Framework',
    () => import('./commands/export.ts'),
  ],
  [
    'models',
    'compare language models for a task, by outcomes and price',
    () => import('./commands/models.ts'),
  ],
  ['show', 'show one tool or agent in full', () => import('./commands/show.ts'), 'describe'],
  ['probe', 'try agents and tools on tasks, and rank by what happened', () => import('./commands/probe.ts')],
  [
    'audition',
    'find candidates for a job, run them side by side, and say who wins',
    () => import('./commands/auditions/audition.ts'),
  ],
  ['run', 'run one agent or tool once, for its answer', () => import('./commands/run.ts')],
  ['allow', 'say what probes and runs may start', () => import('./commands/allow.ts')],
  ['record', 'show, export, import or forget what happened in runs', () => import('./commands/record.ts')],
  [
    'judge',
    'grade an answer, or measure how far the judge can be trusted',
    () => import('./commands/judge.ts'),
  ],
  [
    'serve',
    'serve the catalog to AI hosts over the Model Context Protocol',
    () => import('./commands/serving/serve.ts'),
  ],
  [
    'simulate',
    'serve an MCP server that stands for another one, without its effects',
    () => import('./commands/serving/simulate.ts'),
  ],
  ['ui', 'look at all of it in the browser', () => import('./commands/serving/ui.ts')],
  ['hook', 'answer a hook of Claude Code, for its plugin', () => import('./commands/hook.ts')],
  ['init', 'put Audition into the configuration of an AI host', () => import('./commands/init.ts')],
  [
    'hire',
    'write a found agent, skill or server into the configuration of an AI host',
    () => import('./commands/hire.ts'),
  ],
  ['fire', 'take out again what was hired', () => import('./commands/fire.ts')],
  [
    'evaluate',
    'measure search on benchmarks, your own queries or your index',
    () => import('./commands/evaluate.ts'),
  ],
  [
    'tasks',
    'make tasks with judgements of your own cards, to measure by',
    () => import('./commands/tasks.ts'),
  ],
  [
    'findable',
    'for who writes a server: will hosts find its tools, and what would help',
    () => import('./commands/findable.ts'),
  ],
  [
    'train',
    'train search by meaning, and the ranking, on your own cards and queries',
    () => import('./commands/train.ts'),
  ],
  [
    'recommend',
    'make datasets of requests with agents, and learn whom to recommend',
    () => import('./commands/recommend.ts'),
  ],
  ['sources', 'list, inspect or forget what was indexed', () => import('./commands/sources.ts')],
  [
    'tenants',
    'serve several, each from a store of its own: list, add, remove',
    () => import('./commands/tenants.ts'),
  ],
  ['doctor', 'check the installation and say what to mend', () => import('./commands/doctor.ts')],
  ['version', 'print the version', async () => ({ command: version })],
  [
    'quickstart',
    'a tour: index the bundled catalog, search it, connect a host',
    () => import('./commands/quickstart.ts'),
  ],
]

export const commands = table.map(([name, summary, load, alias]) => ({ name, summary, load, alias }))
