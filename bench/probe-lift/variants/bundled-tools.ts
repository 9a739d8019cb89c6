import { measureTools } from '../../../catalog/servers/arithmetic/measure-tools.ts'
import { moneyTools } from '../../../catalog/servers/arithmetic/money-tools.ts'
import { numberTools } from '../../../catalog/servers/arithmetic/number-tools.ts'
import { statisticsTools } from '../../../catalog/servers/arithmetic/statistics-tools.ts'
import { dateTools } from '../../../catalog/servers/calendar/date-tools.ts'
import { timeTools } from '../../../catalog/servers/calendar/time-tools.ts'
import { weekTools } from '../../../catalog/servers/calendar/week-tools.ts'
import type { CatalogTool } from '../../../catalog/servers/shared/tool.ts'
import { jsonTools } from '../../../catalog/servers/text/json-tools.ts'
import { lineTools } from '../../../catalog/servers/text/line-tools.ts'
import { tableTools } from '../../../catalog/servers/text/table-tools.ts'
import { wordTools } from '../../../catalog/servers/text/word-tools.ts'

/** The tools of the bundled servers, by the last part of the server's name. */
export const bundledTools: ReadonlyMap<string, readonly CatalogTool[]> = new Map([
  ['arithmetic', [...numberTools, ...measureTools, ...moneyTools, ...statisticsTools]],
  ['calendar', [...dateTools, ...weekTools, ...timeTools]],
  ['text', [...wordTools, ...lineTools, ...tableTools, ...jsonTools]],
])
