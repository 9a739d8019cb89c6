import { z } from 'zod'

const size = (most: number) => z.int().min(1).max(most)
const file = z.object({
  file: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'is not the name of a file beside the card'),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower-case hexadecimal'),
})

/** What opening a reader needs of its `model.json`; the rest of the card is for people. */
export const readerCard = z
  .object({
    format: z.literal('audition-reader/1'),
    name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'may hold letters, digits, ".", "_" and "-"'),
    layers: size(48),
    hidden: size(4096).multipleOf(8),
    heads: size(128),
    intermediate: size(16_384).multipleOf(8),
    /** Most tokens of a text. */
    positions: size(4096).min(2),
    /** Pieces of the vocabulary. */
    tokens: size(1_000_000),
    /** Added to variances. */
    epsilon: z.number().positive().max(0.1),
    /** Most tokens of a query and of a card, [CLS] and [SEP] among them. */
    queryLimit: z.int().min(2),
    cardLimit: z.int().min(2),
    files: z.object({ weights: file, vocabulary: file }),
  })
  .refine(({ hidden, heads }) => hidden % (4 * heads) === 0, {
    path: ['heads'],
    message: 'each head takes a multiple of 4 of the hidden values',
  })
  .refine(({ queryLimit, positions }) => queryLimit <= positions, {
    path: ['queryLimit'],
    message: 'is more than there are positions',
  })
  .refine(({ cardLimit, positions }) => cardLimit <= positions, {
    path: ['cardLimit'],
    message: 'is more than there are positions',
  })

export type ReaderCard = z.infer<typeof readerCard>
