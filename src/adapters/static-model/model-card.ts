import { z } from 'zod'
import { fieldNames } from '../../retrieval/text/card-texts.ts'

const field = z.object({ name: z.enum(fieldNames), limit: z.int().min(1), weight: z.number().positive() })
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower-case hexadecimal')

const range = z.object({ from: z.number(), below: z.number().optional() })
/** From which figure on a verdict is given; see `verdict-thresholds.ts`. */
export const thresholds = z.object({
  none: z.number(),
  good: z.number(),
  eased: z.array(
    z.object({
      kind: z.enum(['tool', 'agent']).optional(),
      words: range.optional(),
      cards: range.optional(),
      by: z.number().nonnegative(),
    }),
  ),
})

const ranker = z.object({
  sha256,
  /** Probability that a candidate serves, by its score: 1 / (1 + exp(-(slope * score + intercept))). */
  calibration: z.object({ slope: z.number(), intercept: z.number() }),
})
/** Of a ranker: trees that tell whether anything serves, and from where on; older models have no thresholds. */
const answers = z.object({ sha256, thresholds: thresholds.optional() })

/** What opening a model needs of its `model.json`; the rest of the card is for people. */
export const modelCard = z.object({
  /** 2 may have a reader, and a ranker that looks at what it reads. */
  format: z.enum(['audition-static-embedding/1', 'audition-static-embedding/2']),
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'may hold letters, digits, ".", "_" and "-"'),
  dimensions: z.int().min(1).max(4096),
  /** A search image holds tokens in 16 bits. */
  tokens: z.int().min(1).max(65_536),
  queryLimit: z.int().min(1),
  fields: z.array(field).min(1),
  vocabularyBytes: z.int().min(1),
  sha256,
  /** Vectors by which words are matched one by one; absent where those of the embedding do. */
  interaction: z.object({ dimensions: z.int().min(1).max(4096), sha256 }).optional(),
  /** Absent for an embedding alone. */
  ranker: ranker.optional(),
  answers: answers.optional(),
  /** A reader in a folder beside the card, and the checksum of its weights; absent where cards are not read. */
  reader: z.object({ folder: z.literal('reader').default('reader'), sha256 }).optional(),
  reading: ranker.extend({ answers: answers.optional() }).optional(),
})
