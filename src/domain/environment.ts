/** Environment variables by name, as `process.env` has them. */
export type Environment = { readonly [name: string]: string | undefined }
