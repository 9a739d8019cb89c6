import { answerInstalment } from './shared/instalments.ts'
import { runAgent } from './shared/run-agent.ts'

// Wrong on purpose: interest runs on the full loan until the end, as if nothing were ever paid back.
await runAgent((task) =>
  answerInstalment(
    task,
    (principal, rate, months) => (principal * (1 + (rate / 100) * (months / 12))) / months,
  ),
)
