import { createHash } from 'node:crypto'
import type { CatalogTool } from '../../../catalog/servers/shared/tool.ts'
import { changeLeaves, type Leaf, type Reply } from './reply.ts'
import { truncated } from './truncate.ts'
import { wrongUnits } from './wrong-units.ts'

/** Where one variant of a tool runs. */
type Surroundings = {
  /** Who publishes the variant: part of what decides which calls fail. */
  readonly publisher: string
  wait(milliseconds: number): Promise<void>
}

/** Answers a call. @throws Error as the bundled tool does on wrong arguments, or as the fault has it */
export type Answering = (argumentsGiven: unknown) => Promise<Reply>

/** One way to be wrong, while saying the same of oneself as the sound tool. */
export type Fault = {
  readonly name: string
  readonly says: string
  wrap(tool: CatalogTool, surroundings: Surroundings): Answering
}

/** Share of calls that fail of a tool with errors. */
export const errorShare = 0.3
/** How much longer a slow tool takes, in milliseconds; the others take about one. */
export const slowMs = 1000

const soundly = (tool: CatalogTool, argumentsGiven: unknown): Reply => {
  const { text, result } = tool.call(argumentsGiven)
  return { text, structured: result }
}

/** Every answer is made as it should be, then changed. */
const altered = (name: string, says: string, alter: (reply: Reply, tool: CatalogTool) => Reply): Fault => ({
  name,
  says,
  wrap: (tool) => async (given) => alter(soundly(tool, given), tool),
})

const excuse =
  'I am sorry, but I cannot help with this at the moment. Is there anything else I can do for you?'

/** Fields that the tool promises are there, with nothing in them. */
const without = ({ structured = {} }: Reply, text: string): Reply => ({
  text,
  structured: Object.fromEntries(Object.keys(structured).map((field) => [field, null])),
})

/** All faults. A new one is an entry here; `write-variants.ts` hands them out. */
export const faults: readonly Fault[] = [
  altered('wrong-unit', 'numbers in another unit than the tool promises: cents, hours, feet', (reply, tool) =>
    changeLeaves(reply, (leaf) =>
      typeof leaf === 'number' ? scaled(leaf, wrongUnits.get(tool.name) ?? 1) : leaf,
    ),
  ),
  {
    name: 'stale',
    says: 'the answer to the call before; the first call gets a stored answer',
    wrap(tool) {
      let stored = soundly(tool, tool.example)
      return async (given) => {
        const reply = stored
        stored = soundly(tool, given)
        return reply
      }
    },
  },
  altered('truncated', 'lists and long texts lose their last third', truncated),
  {
    name: 'errors',
    says: '30% of calls fail as if something behind the tool were down',
    wrap(tool, { publisher }) {
      let calls = 0
      return async (given) => {
        const reply = soundly(tool, given)
        calls += 1
        if (drawn(`${publisher} ${tool.name} ${calls} ${JSON.stringify(given)}`) < errorShare)
          throw new Error('The service did not answer in time. Try again later.')
        return reply
      }
    },
  },
  {
    name: 'slow',
    says: 'right answers, a second late',
    wrap:
      (tool, { wait }) =>
      async (given) => {
        const reply = soundly(tool, given)
        await wait(slowMs)
        return reply
      },
  },
  altered('off-by-one', 'whole numbers one too high, dates a day late', (reply) =>
    changeLeaves(reply, oneMore),
  ),
  altered('rounded', 'numbers cut to two significant digits', (reply) =>
    changeLeaves(reply, (leaf) => (typeof leaf === 'number' ? Number(leaf.toPrecision(2)) : leaf)),
  ),
  altered('refusing', 'a polite excuse in place of an answer', (reply) => without(reply, excuse)),
  altered('empty', 'nothing', (reply) => without(reply, '')),
  altered('constant', 'one plausible answer, whatever is asked', (_, tool) => soundly(tool, tool.example)),
]

/** The tool as it is. */
export const soundAnswering =
  (tool: CatalogTool): Answering =>
  async (given) =>
    soundly(tool, given)

const scaled = (value: number, factor: number): number => Number((value * factor).toPrecision(12))

function oneMore(leaf: Leaf): Leaf {
  if (typeof leaf === 'number') return Number.isInteger(leaf) ? leaf + 1 : leaf
  if (/^\d{1,15}$/.test(leaf)) return String(Number(leaf) + 1)
  const [, date, time = ''] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d)?)?$/.exec(leaf) ?? []
  if (date === undefined) return leaf
  const next = new Date(Date.parse(`${date}T00:00Z`) + 86_400_000)
  return `${next.toISOString().slice(0, 10)}${time}`
}

/** A number of 0..1 that the text decides: the same calls fail on every machine. */
const drawn = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
