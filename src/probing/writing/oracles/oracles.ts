import { dateOracles } from './dates.ts'
import { jsonOracles } from './json.ts'
import { lineOracles } from './lines.ts'
import { measureOracles } from './measures.ts'
import { moneyOracles } from './money.ts'
import { numberOracles } from './numbers.ts'
import type { Oracle } from './oracle.ts'
import { statisticsOracles } from './statistics.ts'
import { tableOracles } from './tables.ts'
import { timeOracles } from './times.ts'
import { weekOracles } from './weeks.ts'
import { wordOracles } from './words.ts'

/** One for each tool of the bundled servers, by the tool's name. */
export const oracles: ReadonlyMap<string, Oracle> = new Map(
  [
    ...[numberOracles, measureOracles, moneyOracles, statisticsOracles],
    ...[dateOracles, weekOracles, timeOracles],
    ...[wordOracles, lineOracles, tableOracles, jsonOracles],
  ]
    .flat()
    .map((oracle) => [oracle.tool, oracle]),
)
