/** Many texts as tokens, side by side. Text `i` holds the tokens from `starts[i]` to `starts[i + 1]`. */
export type TokenTexts = {
  readonly tokens: Uint32Array
  /** Which field of a card each token comes from: 0 for queries, else one more than the field's place. */
  readonly fields: Uint8Array
  readonly starts: Uint32Array
}

/** Part of a text that comes from one field. */
export type FieldTokens = { readonly field: number; readonly tokens: ArrayLike<number> }

/** Gathers texts one by one; each gets the next number. */
type TextGatherer = {
  add(parts: readonly FieldTokens[]): number
  texts(): TokenTexts
}

export function gatherTexts(): TextGatherer {
  let tokens = new Uint32Array(1 << 16)
  let fields = new Uint8Array(1 << 16)
  let size = 0
  const starts: number[] = [0]
  const reserve = (more: number): void => {
    if (size + more <= tokens.length) return
    const capacity = Math.max(2 * tokens.length, size + more)
    const [wider, wide] = [new Uint32Array(capacity), new Uint8Array(capacity)]
    wider.set(tokens)
    wide.set(fields)
    tokens = wider
    fields = wide
  }
  return {
    add(parts) {
      for (const part of parts) {
        reserve(part.tokens.length)
        tokens.set(part.tokens, size)
        fields.fill(part.field, size, size + part.tokens.length)
        size += part.tokens.length
      }
      return starts.push(size) - 2
    },
    texts: () => ({
      tokens: tokens.slice(0, size),
      fields: fields.slice(0, size),
      starts: Uint32Array.from(starts),
    }),
  }
}
