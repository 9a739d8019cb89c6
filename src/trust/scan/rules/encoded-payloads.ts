import type { CardText } from '../card-texts.ts'
import { excerptAround, excerptOfStart } from '../excerpt.ts'
import { readText } from '../read-text.ts'
import type { Hit } from '../rule.ts'
import { decodings } from '../text/decodings.ts'
import { readableText } from '../text/plain-text.ts'
import { isQuoted } from '../text/quotations.ts'
import { dangerousCommands } from './runs-commands.ts'

/** Code within code is undone so many times. */
const deepest = 3
/** Prose holds no such run of letters and digits. */
const opaque = /[A-Za-z\d+/_-]{300,}={0,2}/
/** Words that show a stretch of code as an example. */
const announces = /(?:example|e\.g\.|such as|like|detect|flag|input|returns?|output|->|=>|→)[^.\n]{0,80}$/i

/** Stretches of code that decode to instructions or to commands. */
export function encodedPayloads({ text, register }: CardText): readonly Hit[] {
  const hits = decodings(text).flatMap(({ how, text: decoded, start, end }): Hit[] => {
    const says = worstOf(decoded)
    if (says === undefined) return []
    const isShown = isQuoted(text, start, end) && announces.test(text.slice(Math.max(0, start - 120), start))
    return [
      {
        severity: isShown || register === 'prompt' ? 'soft' : says.severity,
        excerpt: excerptAround(text, start, Math.min(end, start + 40)),
        message: `holds ${how} that decodes to "${excerptOfStart(says.text).slice(0, 80)}", which ${says.message}`,
      },
    ]
  })
  if (hits.length > 0 || register !== 'reference') return hits
  const blob = opaque.exec(text)
  return blob === null
    ? []
    : [
        {
          severity: 'soft',
          excerpt: excerptAround(text, blob.index, blob.index + 40),
          message: 'holds a long run of letters and digits that nobody can read',
        },
      ]
}

type Worst = { readonly severity: Hit['severity']; readonly message: string; readonly text: string }

function worstOf(decoded: string, depth = 1): Worst | undefined {
  const plain = readableText(decoded)
  const { said } = readText({ text: plain, register: 'reference' })
  const hard = said.find(({ severity }) => severity === 'hard') ?? said[0]
  if (hard !== undefined) return { severity: hard.severity, message: hard.message, text: decoded }
  if (dangerousCommands(decoded).length > 0)
    return {
      severity: 'hard',
      message: 'is a command that fetches and runs, destroys or sends away',
      text: decoded,
    }
  if (depth >= deepest) return undefined
  for (const inner of decodings(decoded)) {
    const worst = worstOf(inner.text, depth + 1)
    if (worst !== undefined) return worst
  }
  return undefined
}
