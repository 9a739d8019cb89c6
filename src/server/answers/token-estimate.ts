/**
 * Bytes of UTF-8 that one token is taken to hold.
 *
 * Which model reads an answer, and with it the tokenizer, is unknown here. The common ones need 3.4 to 4.2 bytes a
 * token for English prose and for JSON with word-like keys, and about 3 for Chinese; 3.2 lies near the low end, so
 * that an answer said to hold 1,500 tokens rarely holds more, and it needs no tokenizer to be loaded.
 */
const bytesPerToken = 3.2

/** Tokens a text of so many bytes is taken to cost: rather too many than too few. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / bytesPerToken)

/** The most bytes that cost at most so many tokens. */
export const bytesWithin = (tokens: number): number => Math.floor(tokens * bytesPerToken)

/** Bytes of a value on the wire, as JSON. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value), 'utf8')

/** Bytes that a piece adds to a JSON string that holds it. */
export const jsonTextBytes = (text: string): number => jsonBytes(text) - 2
