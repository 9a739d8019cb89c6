import { dateKeys } from './dates.ts'
import { jsonKeys } from './json.ts'
import { lineKeys } from './lines.ts'
import { measureKeys } from './measures.ts'
import { moneyKeys } from './money.ts'
import { numberKeys } from './numbers.ts'
import type { AnswerKey } from './answer-key.ts'
import { statisticsKeys } from './statistics.ts'
import { tableKeys } from './tables.ts'
import { timeKeys } from './times.ts'
import { weekKeys } from './weeks.ts'
import { wordKeys } from './words.ts'

/** One for each tool of the bundled servers, by the tool's name. */
export const answerKeys: ReadonlyMap<string, AnswerKey> = new Map(
  [
    numberKeys,
    measureKeys,
    moneyKeys,
    statisticsKeys,
    dateKeys,
    weekKeys,
    timeKeys,
    wordKeys,
    lineKeys,
    tableKeys,
    jsonKeys,
  ]
    .flat()
    .map((key) => [key.tool, key]),
)
