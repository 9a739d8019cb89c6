import { measureTools } from './arithmetic/measure-tools.ts'
import { moneyTools } from './arithmetic/money-tools.ts'
import { numberTools } from './arithmetic/number-tools.ts'
import { statisticsTools } from './arithmetic/statistics-tools.ts'
import { serveTools } from './shared/serve-tools.ts'

serveTools({
  name: 'audition-arithmetic',
  title: 'Arithmetic and units',
  instructions:
    'Exact calculation: expressions, units, percentages, money, statistics, equations. ' +
    'Answers depend on the arguments alone.',
  tools: [...numberTools, ...measureTools, ...moneyTools, ...statisticsTools],
})
