import type { Command } from './command.ts'

/** A command by name; its file is loaded only when it is called. */
type CommandEntry = {
  readonly name: string
  /** One line for `audition --help`. */
  readonly summary: string
  load(): Promise<Command>
}

/** Every command, in the order of `audition --help`. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'index',
    summary: 'read tools and agents from files, folders, URLs and MCP servers into the store',
    load: async () => (await import('./commands/index.ts')).indexCommand,
  },
  {
    name: 'search',
    summary: 'find the tools and agents for a task',
    load: async () => (await import('./commands/search.ts')).searchCommand,
  },
  {
    name: 'show',
    summary: 'show one tool or agent in full',
    load: async () => (await import('./commands/show.ts')).showCommand,
  },
  {
    name: 'probe',
    summary: 'try agents and tools on tasks, and rank by what happened',
    load: async () => (await import('./commands/probe.ts')).probeCommand,
  },
  {
    name: 'run',
    summary: 'run one agent or tool once, for its answer',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  {
    name: 'allow',
    summary: 'say what probes and runs may start',
    load: async () => (await import('./commands/allow.ts')).allowCommand,
  },
  {
    name: 'record',
    summary: 'show, export, import or forget what happened in runs',
    load: async () => (await import('./commands/record.ts')).recordCommand,
  },
  {
    name: 'judge',
    summary: 'grade an answer, or measure how far the judge can be trusted',
    load: async () => (await import('./commands/judge.ts')).judgeCommand,
  },
  {
    name: 'serve',
    summary: 'serve the catalog to AI hosts over the Model Context Protocol',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  {
    name: 'init',
    summary: 'put Audition into the configuration of an AI host',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  {
    name: 'evaluate',
    summary: 'measure search on benchmarks, your own queries or your index',
    load: async () => (await import('./commands/evaluate.ts')).evaluateCommand,
  },
  {
    name: 'train',
    summary: 'train search by meaning, and the ranking, on your own cards and queries',
    load: async () => (await import('./commands/train.ts')).trainCommand,
  },
  {
    name: 'sources',
    summary: 'list, inspect or forget what was indexed',
    load: async () => (await import('./commands/sources.ts')).sourcesCommand,
  },
  {
    name: 'doctor',
    summary: 'check the installation and say what to mend',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'version',
    summary: 'print the version',
    load: async () => (await import('./commands/show.ts')).versionCommand,
  },
  {
    name: 'quickstart',
    summary: 'a tour: index the bundled catalog, search it, connect a host',
    load: async () => (await import('./commands/quickstart.ts')).quickstartCommand,
  },
]
