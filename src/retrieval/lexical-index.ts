export type LexicalIndex = { readonly size: number }
