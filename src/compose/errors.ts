/** Errors of adapters that a program may meet. */
export { RefusedRequestError } from '../adapters/http/reach.ts'
export { StoreError } from '../adapters/lancedb/store-location.ts'
export { SandboxError } from '../adapters/processes/sandbox/sandbox.ts'
