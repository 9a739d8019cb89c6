import { excerptAround } from '../excerpt.ts'
import type { Hit, Rule } from '../rule.ts'

/** Commands that fetch and run, destroy, or open a way in. Bounded repetitions keep the search linear. */
const dangerous =
  /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{0,200}\|\s{0,4}(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:bash|sh)\s+-c\s+["'$]|\bbash\s+<\(\s{0,4}curl\b|\brm\s+-[rf]{1,2}[a-z]{0,3}\s+[~/*$]|\/dev\/tcp\/|\bnc\s+(?:-\w+\s+){0,4}-e\b|\bpowershell\b[^\n]{0,100}-e(?:nc|ncodedcommand)?\s|\b(?:iex|invoke-expression)\b|\bbase64\s+(?:-d|--decode|-D)\b[^\n]{0,100}\||\bcrontab\s+-|\bchmod\s+\+x\s+\/tmp|\bcat\s+~?\/[^\n|]{0,100}\|\s{0,4}(?:curl|nc|wget)\b|\bcurl\b[^\n]{0,120}(?:-d|--data|-F|-T)[^\n]{0,20}(?:@|\$\()[^\n]{0,60}/gi

/** Where a text holds such a command. */
export const dangerousCommands = (
  text: string,
): readonly { readonly start: number; readonly end: number }[] =>
  [...text.matchAll(dangerous)].map(({ 0: command, index }) => ({
    start: index,
    end: index + command.length,
  }))

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
