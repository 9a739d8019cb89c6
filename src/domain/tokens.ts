/** Tokens both ways. */
export type Tokens = { readonly input: number; readonly output: number }
