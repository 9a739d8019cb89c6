import { excerptAround } from '../excerpt.ts'
import type { Rule } from '../rule.ts'

const override =
  /\b(?:ignore|disregard|forget|override)\s+(?:\w+\s+){0,3}(?:previous|prior|above|earlier|preceding)\s+(?:\w+\s+){0,2}(?:instructions?|prompts?|rules|messages|directives)\b/gi

/** Instructions that would set aside those of the user or the host. */
export const overrides: Rule = {
  name: 'overrides-instructions',
  inspect: ({ text, register }) =>
    [...text.matchAll(override)].map(({ 0: match, index }) => ({
      severity: register === 'prompt' || /["'“‘«`]\s*$/.test(text.slice(0, index)) ? 'soft' : 'hard',
      excerpt: excerptAround(text, index, index + match.length),
      message: 'tells the model to set aside its instructions',
    })),
}
