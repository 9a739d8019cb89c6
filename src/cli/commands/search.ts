import type { AgentKind, CardKind } from '../../domain/card.ts'
import type { SearchRequest } from '../../retrieval/answer.ts'
import type { CardFilter } from '../../retrieval/index/card-filter.ts'
import { choice, choicesOf, defineCommand, flag, type Flags, text, texts, whole } from '../command.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { knownCards, requireNames } from '../ask/known.ts'
import { saidIn } from '../ask/ask.ts'
import { answerLines } from '../render/answer-lines.ts'
import { defined } from '../../domain/defined.ts'

const agentKinds = [
  'profile',
  'subagent',
  'skill',
  'a2a',
  'toolkit',
  'listing',
] as const satisfies AgentKind[]
const rankers = ['auto', 'lexical', 'dense', 'hybrid', 'rrf', 'learned', 'reader', 'cross-encoder'] as const

/** The most search reads of a query; see {@link SearchRequest}. */
const queryLimit = 8000

const options = {
  tools: flag('--tools', 'only tools'),
  agents: flag('--agents', 'only agents'),
  limit: whole('-k, --limit <count>', 'candidates of each kind (default: 5)', [1, 100]),
  source: texts('--source <id>', 'only cards of this source'),
  tag: texts('--tag <tag>', 'only cards with this tag'),
  kind: choicesOf('--kind <kind>', 'only agents of this kind', agentKinds),
  server: texts('--server <name>', 'only tools of this MCP server'),
  runnable: flag('--runnable', 'only cards that can be run, what can run here first'),
  readOnly: flag('--read-only', 'only tools that declare themselves read-only'),
  exclude: texts('--exclude <id>', 'leave this card out'),
  ranker: choice('--ranker <name>', 'how to rank (default: auto)', rankers),
  instruction: text('--instruction <text>', 'what the wanted ones do, said more exactly'),
  context: text('--context <text>', 'what else the search should know, for example your role'),
  why: flag('--why', 'say of each candidate why it is there'),
  json: flag('--json', 'print the answers as JSON'),
}

/** `audition search`. */
export const command = defineCommand({
  description: [
    'Finds the tools and agents for a task said in plain words. Without --tools or --agents it answers with both,',
    'or with the one kind a filter is about (--kind: agents; --server, --read-only: tools).',
    'Scores order one answer; they do not compare across queries.',
  ].join(' '),
  arguments: [
    { syntax: '<query...>', description: 'the task in plain words; - reads it from standard input' },
  ],
  options,
  examples: [
    { line: 'audition search convert a pdf to text', does: 'tools and agents, five each' },
    { line: 'audition search --agents -k 10 --why "review a lease"', does: 'ten agents, and why' },
    {
      line: 'audition search --tools --read-only "list open issues"',
      does: 'tools that say they change nothing',
    },
    { line: 'audition search --json - < task.txt', does: 'a long task from a file, answers for a script' },
  ],
  async run({ words, flags }, context) {
    const kinds = kindsOf(flags)
    const query = await saidIn(words, queryLimit, context)
    if (query === '')
      throw new UsageError(
        'The query is empty. Say the task in plain words: audition search "review a lease"',
      )
    const audition = await context.audition()
    await requireNames(audition, { sources: flags.source, servers: flags.server, tags: flags.tag })
    if (flags.exclude.length > 0) await knownCards(audition, flags.exclude)
    const answers = await Promise.all(
      kinds.map((kind) => audition.search(requestOf(kind, query, flags), context.signal)),
    )
    if (flags.json) {
      context.printJson({ query, answers })
      return exitCodes.done
    }
    const { stdout } = context.terminal
    const parts = answers.map((answer) => answerLines(answer, stdout, flags.why ? 'why' : 'table'))
    context.print(...parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])))
    const { chosenBackbone } = await import('../../server/answers/chosen-backbone.ts')
    const candidates = answers.flatMap((answer) => answer.candidates)
    const backbone = await chosenBackbone(audition, candidates, query)
    if (backbone !== '') context.print('', backbone)
    if (stdout.isTty && answers.some(({ candidates }) => candidates.length > 0)) {
      context.print('', stdout.paint.dim('`audition show <id>` shows one in full.'))
    }
    return exitCodes.done
  },
})

type SearchFlags = Flags<typeof options>

const bothKinds = ['tool', 'agent'] as const satisfies readonly CardKind[]

const narrowing: readonly { flag: string; about: CardKind; isGiven(flags: SearchFlags): boolean }[] = [
  { flag: '--kind', about: 'agent', isGiven: ({ kind }) => kind.length > 0 },
  { flag: '--server', about: 'tool', isGiven: ({ server }) => server.length > 0 },
  { flag: '--read-only', about: 'tool', isGiven: ({ readOnly }) => readOnly },
]

/** @throws UsageError when a filter is about a kind that is not asked for: it would not narrow anything */
function kindsOf(flags: SearchFlags): readonly CardKind[] {
  const wanted = bothKinds.filter((kind) => flags[`${kind}s`])
  const given = narrowing.filter(({ isGiven }) => isGiven(flags))
  const idle = given.find(({ about }) => !wanted.includes(about))
  if (wanted.length > 0 && idle !== undefined) {
    throw new UsageError(
      `${idle.flag} is about ${idle.about}s, and --${wanted[0]}s leaves them out. Drop one of the two.`,
    )
  }
  const meant =
    wanted.length > 0 ? wanted : bothKinds.filter((kind) => given.some(({ about }) => about === kind))
  return meant.length > 0 ? meant : bothKinds
}

function requestOf(kind: CardKind, query: string, flags: SearchFlags): SearchRequest {
  const filter = filterOf(flags)
  const { limit: k = 5, instruction, context, ranker } = flags
  return {
    kind,
    query,
    k,
    ...defined({ instruction, context, ranker }),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  }
}

const filterOf = ({ source, tag, kind, server, runnable, readOnly, exclude }: SearchFlags): CardFilter => ({
  ...(source.length > 0 ? { sources: source } : {}),
  ...(tag.length > 0 ? { tags: tag } : {}),
  ...(kind.length > 0 ? { agentKinds: kind } : {}),
  ...(server.length > 0 ? { servers: server } : {}),
  ...(runnable ? { hasRuntime: true } : {}),
  ...(readOnly ? { readOnly: true } : {}),
  ...(exclude.length > 0 ? { exclude } : {}),
})
