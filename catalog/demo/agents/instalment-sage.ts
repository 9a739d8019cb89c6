import { loanPayment } from '../../servers/arithmetic/interest.ts'
import { answerInstalment } from './shared/instalments.ts'
import { runAgent } from './shared/run-agent.ts'

await runAgent((task) =>
  answerInstalment(task, (principal, rate, months) => loanPayment(principal, rate, months).monthlyPayment),
)
