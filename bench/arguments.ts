import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import type { BenchSet } from './run-benches.ts'

/** What a run was asked for. */
type Arguments = {
  readonly chosen: readonly Bench[]
  readonly data: string | undefined
  readonly json: string | undefined
  readonly quick: boolean
  /** Cards of the largest catalog that `million` makes; null: a million. */
  readonly cards: number | null
  /** Where a bench that takes long keeps what it found, and goes on from; null: nowhere. */
  readonly state: string | null
  readonly check: boolean
  readonly help: boolean
}

export const usageOf = ({ command, benches }: BenchSet): string => `npm run ${command} -- [name...] [options]

Names (default: all)
${benches.map(({ name, question }) => `  ${name.padEnd(10)} ${question}`).join('\n')}

Options
  --data <folder>  tool sets in the shape of ToolRet (default: ../shared/data/toolret)
  --quick          1,000 and 10,000 tools, few queries and repeats
  --cards <number> at most so many tools in the bench "million"
  --state <folder> "damage", "million": keep what was found or made there, and go on from it
  --json <file>    write machine, tables and floors to a file as well
  --check          exit with 1 when a floor is missed
  --help`

/** @throws Error that says what is wrong, for people */
export function readArguments(words: readonly string[], { benches }: BenchSet): Arguments {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      json: { type: 'string' },
      cards: { type: 'string' },
      state: { type: 'string' },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.find((word) => benches.every(({ name }) => name !== word))
  if (unknown !== undefined)
    throw new Error(`Nothing is named "${unknown}". Names: ${benches.map(({ name }) => name).join(', ')}.`)
  return {
    chosen: positionals.length === 0 ? benches : benches.filter(({ name }) => positionals.includes(name)),
    data: values.data,
    json: values.json,
    quick: values.quick,
    cards: values.cards === undefined ? null : cardsIn(values.cards),
    state: values.state ?? null,
    check: values.check,
    help: values.help,
  }
}

function cardsIn(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 2000) return count
  throw new Error(`--cards ${text}: a whole number of 2,000 or more is wanted.`)
}
