/** How far work in countable pieces has come. */
export type Progress = { readonly done: number; readonly total: number }
