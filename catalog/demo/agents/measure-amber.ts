import { convertUnit } from '../../servers/arithmetic/convert-unit.ts'
import { answerMeasure } from './shared/measures.ts'
import { runAgent } from './shared/run-agent.ts'

await runAgent((task) => answerMeasure(task, convertUnit))
