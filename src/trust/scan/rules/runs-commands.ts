import { excerptAround } from '../excerpt.ts'
import type { Hit, Rule } from '../rule.ts'
import { dangerousCommands } from '../text/shell-commands.ts'

/** Words that turn a command into an order to whoever reads. */
const orders =
  /\b(?:you (?:must|should|need to|have to)|(?:first|always|must|immediately|silently|quietly) (?:run|execute|call|paste|issue|invoke)|before (?:using|calling|any|each|every|the first)|every time|each time)\b/i
const reach = 160

/** Commands in documentation that fetch and run, destroy, or send files away. */
export const runsCommands: Rule = {
  name: 'runs-commands',
  inspect: ({ text, register }, signals) =>
    !signals.has('command') || register === 'prompt' || register === 'name'
      ? []
      : dangerousCommands(text).map(
          ({ start, end }): Hit => ({
            severity: orders.test(text.slice(Math.max(0, start - reach), start)) ? 'hard' : 'soft',
            excerpt: excerptAround(text, start, end),
            message: 'holds a command that fetches and runs, destroys or sends away',
          }),
        ),
}
