import { countsOf } from '../../../domain/grouped.ts'
import { excerptOfStart } from '../excerpt.ts'
import type { Hit, Rule } from '../rule.ts'

type Shape = { readonly what: string; readonly severity: Hit['severity']; readonly pattern: RegExp }

/** Keys that show by their shape what they open. The part that must look random is the first group. */
const shapes: readonly Shape[] = [
  { what: 'an AWS access key', severity: 'hard', pattern: /\b(?:AKIA|ASIA)([A-Z2-7]{16})\b/g },
  { what: 'a GitHub token', severity: 'hard', pattern: /\b(?:gh[oprsu]_|github_pat_)(\w{30,100})/g },
  { what: 'a GitLab token', severity: 'hard', pattern: /\bglpat-([\w-]{20,100})/g },
  {
    what: 'an OpenAI or Anthropic key',
    severity: 'hard',
    pattern: /\bsk-(?:proj-|ant-(?:api\d\d-)?|svcacct-|or-v1-)?([A-Za-z\d_-]{24,200})/g,
  },
  { what: 'a live Stripe key', severity: 'hard', pattern: /\b[sr]k_live_([A-Za-z\d]{20,120})/g },
  { what: 'a Stripe test key', severity: 'soft', pattern: /\b[sr]k_test_([A-Za-z\d]{20,120})/g },
  { what: 'a Slack token', severity: 'hard', pattern: /\bxox[abeprs]-((?:\d+-){0,4}[A-Za-z\d-]{20,200})/g },
  {
    what: 'a Slack webhook',
    severity: 'hard',
    pattern: /hooks\.slack\.com\/services\/(T[A-Z\d]{8,12}\/B[A-Z\d]{8,12}\/[A-Za-z\d]{20,30})/g,
  },
  {
    what: 'a Discord webhook',
    severity: 'hard',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,21}\/([\w-]{50,90})/g,
  },
  { what: 'a Telegram bot token', severity: 'hard', pattern: /\b\d{8,10}:(AA[\w-]{32,34})\b/g },
  { what: 'a Google API key', severity: 'hard', pattern: /\bAIza([\w-]{35})\b/g },
  { what: 'a SendGrid key', severity: 'hard', pattern: /\bSG\.([\w-]{20,24}\.[\w-]{40,46})/g },
  { what: 'an npm token', severity: 'hard', pattern: /\bnpm_([A-Za-z\d]{36})\b/g },
  { what: 'a Hugging Face token', severity: 'hard', pattern: /\bhf_([A-Za-z]{34})\b/g },
  {
    what: 'a key of a service',
    severity: 'hard',
    pattern:
      /\b(?:gsk|nvapi|xai|dop_v1|shpat|shpss|lin_api|tvly|pypi|dckr_pat|figd|r8)[-_]([A-Za-z\d_-]{28,200})/g,
  },
  {
    what: 'a JSON Web Token',
    severity: 'soft',
    pattern: /\beyJ[\w-]{10,2000}\.eyJ([\w-]{10,4000}\.[\w-]{20,1000})/g,
  },
  {
    what: 'a private key',
    severity: 'hard',
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----\s{0,4}((?:[A-Za-z\d+/=]{20,80}\s{0,4}){1,100})/g,
  },
  {
    what: 'a password within an address',
    severity: 'soft',
    pattern:
      /\b[a-z][a-z\d+.-]{1,20}:\/\/[\w.%-]{1,60}:([^\s/@:"'<>{}$[\]*]{6,100})@(?!localhost|127\.|example)[\w.-]{3,200}/g,
  },
]

/** What examples are made of. */
const placeholder =
  /example|sample|placeholder|your|dummy|fake|test|demo|redact|replace|change|insert|xxx|\*\*\*|\.\.\.|1234567|abcdef|0{6}|(.)\1{5}|(?:abc|xyz){3}|token|secret|password|api_?key/i

/** Bits per character below which a string is a word or a pattern. Random letters and digits have about 4 at this length. */
const leastEntropy = 3.1

/** What every shape begins with or holds. */
const hint =
  /AKIA|ASIA|gh[oprsu]_|github_pat|glpat-|\bsk-|[sr]k_|xox|hooks\.slack|discord|:AA|AIza|SG\.|npm_|hf_|gsk|nvapi|xai|dop_|shp|lin_|tvly|pypi|dckr|figd|r8|eyJ|PRIVATE|:\/\/[^\s/]{1,60}:/

/** Keys, tokens and passwords that a publisher left in a text. */
export const embeddedSecrets: Rule = {
  name: 'embedded-secret',
  inspect: ({ text }) =>
    text.length < 20 || !hint.test(text)
      ? []
      : shapes.flatMap(({ what, severity, pattern }) =>
          [...text.matchAll(pattern)]
            .filter(([, random = '']) => !placeholder.test(random) && entropyOf(random) >= leastEntropy)
            .slice(0, 5)
            .map(({ 0: match, index }) => ({
              severity,
              excerpt: excerptOfStart(`${wordsBefore(text, index)}${match.slice(0, 4)}***`),
              message: `holds what looks like ${what}`,
            })),
        ),
}

/** Words, never a piece of another key, that stand before a place. */
const wordsBefore = (text: string, index: number): string =>
  /(?:^|\s)((?:[\p{L}]{1,14}[ :=]{1,2}){1,4})$/u.exec(text.slice(Math.max(0, index - 40), index))?.[1] ?? ''

/** Shannon entropy, bits per character. */
function entropyOf(text: string): number {
  let bits = 0
  for (const count of countsOf(text).values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
