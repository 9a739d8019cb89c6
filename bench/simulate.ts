import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openAudition } from '../src/compose/app.ts'
import { configFrom } from '../src/config.ts'
import type { ToolCard } from '../src/domain/card.ts'
import type { JsonObject } from '../src/domain/json.ts'
import { mulberry32 } from '../src/domain/random.ts'
import { tasksOfCard } from '../src/probing/writing/tasks-of-card.ts'
import { madeUpAnswer } from '../src/simulating/made-up.ts'
import { startState } from '../src/simulating/things.ts'
import { chatEndpoint } from '../test/fakes/chat-endpoint.ts'
import { playNotes, scriptedImitator, simulationOver } from '../test/simulating/simulation.ts'
import { atMost, type Bench, fixed } from './bench.ts'
import { builtProgram } from './built-program.ts'
import type { Workplace } from './workplace.ts'

type Call = { readonly tool: string; readonly args: JsonObject }
/** What calls gave, as text, and the seconds that they took. */
type Answers = { readonly given: readonly string[]; readonly seconds: number }

/** Different calls of a bundled tool. */
const callsPerTool = 16

/** Simulated servers that a scripted model plays, and the same calls on replay without it. */
export const simulate: Bench = {
  name: 'simulate',
  question: 'Does a simulated server answer the same on replay, and how fast?',
  async run(workplace) {
    const count = workplace.quick ? 1_000 : 10_000
    const session = await overSession(workplace, count)
    const program = await overProgram(workplace, count)
    const parts = [
      ['a session in this process, with state', session],
      ['audition simulate over stdio, bundled tools', program],
    ] as const
    const speed = ({ seconds }: Answers): string => fixed(count / seconds)
    return {
      tables: [
        {
          title: `${count} calls`,
          head: ['', 'asked of the model', 'calls per second', 'on replay', 'different on replay', 'failed'],
          rows: parts.map(([what, { first, again, asked }]) => [
            what,
            `${asked}`,
            speed(first),
            speed(again),
            `${differences(first, again)}`,
            `${failures(again)}`,
          ]),
        },
      ],
      notes: [
        'The model is scripted: it answers at once. Calls are made one after the other.',
        'In the session a fifth of the calls creates, a fifth deletes, the others list and get; what is not there fails as it should.',
      ],
      floors: parts.flatMap(([what, { first, again }]) => [
        atMost(`answers that differ on replay, ${what}`, 0, differences(first, again)),
      ]),
    }
  },
}

const differences = (first: Answers, again: Answers): number =>
  again.given.filter((answer, at) => answer !== first.given[at]).length
const failures = ({ given }: Answers): number =>
  given.filter((answer) => /"(?:isError|failed)":true/.test(answer)).length

async function answersOf(calls: readonly Call[], call: (one: Call) => Promise<unknown>): Promise<Answers> {
  const from = performance.now()
  const given: string[] = []
  for (const one of calls) given.push(JSON.stringify(await call(one)))
  return { given, seconds: (performance.now() - from) / 1_000 }
}

async function overSession(workplace: Workplace, count: number) {
  const file = join(workplace.scratch(), 'answers.jsonl')
  const random = mulberry32(1)
  const pick = (most: number): number => 1 + Math.floor(random() * most)
  const calls = Array.from({ length: count }, (): Call => {
    const id = `n${pick(count / 10)}`
    return [
      { tool: 'create_note', args: { title: `note ${pick(9)}` } },
      { tool: 'delete_note', args: { id } },
      { tool: 'list_notes', args: {} },
      { tool: 'get_note', args: { id } },
      { tool: 'get_note', args: { id } },
    ][pick(5) - 1]!
  })
  const imitator = scriptedImitator(playNotes)
  const run = async (parts: Parameters<typeof simulationOver>[1]): Promise<Answers> => {
    const session = (await simulationOver(file, parts)).session()
    return answersOf(calls, ({ tool, args }) => session.call(tool, args))
  }
  const first = await run({ imitator })
  return { first, again: await run({ mode: 'replay' }), asked: imitator.asked.length }
}

async function overProgram(workplace: Workplace, count: number) {
  const folder = workplace.scratch()
  const env = {
    AUDITION_HOME: join(folder, 'store'),
    AUDITION_SETTINGS: join(folder, 'settings.yaml'),
    AUDITION_MODEL: 'none',
    PATH: process.env.PATH ?? '',
    HOME: folder,
  }
  const audition = openAudition(configFrom(env))
  await audition.index({ locations: ['bundled:'] })
  const { tools } = await audition.simulatedServer('audition-text')
  await audition.close()
  const byName = new Map(tools.map((card) => [card.name, card]))
  const distinct = tools.flatMap((card) =>
    tasksOfCard(card, callsPerTool).map((task) => ({ tool: card.name, args: task.arguments ?? {} })),
  )
  const random = mulberry32(2)
  const calls = Array.from({ length: count }, () => distinct[Math.floor(random() * distinct.length)]!)
  const model = await chatEndpoint(({ user }) => playedBy(byName, user))
  const { spec, key } = model.settings
  try {
    const first = await served([], { ...env, AUDITION_LLM: spec, AUDITION_LLM_KEY: key }, calls)
    return { first, again: await served(['--replay'], env, calls), asked: model.sent.length }
  } finally {
    await model.close()
  }
}

/** A model that draws what the output schema describes. */
function playedBy(tools: ReadonlyMap<string, ToolCard>, prompt: string): string {
  const name = /"name":"(\w+)"/.exec(prompt)?.[1] ?? ''
  const { answer } = madeUpAnswer(tools.get(name)!, { prompt }, startState)
  return JSON.stringify({ failed: false, answer: answer?.content[0]?.text })
}

async function served(
  flags: readonly string[],
  env: { readonly [name: string]: string },
  calls: readonly Call[],
): Promise<Answers> {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const args = [builtProgram, 'simulate', 'audition-text', ...flags]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: { ...env }, stderr: 'ignore' }),
  )
  try {
    await client.listTools()
    return await answersOf(calls, ({ tool, args: given }) =>
      client.callTool({ name: tool, arguments: { ...given } }),
    )
  } finally {
    await client.close()
  }
}
