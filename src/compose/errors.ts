/** Errors of adapters that a program may meet. */
export { RefusedRequestError } from '../adapters/http/refused-request.ts'
export { StoreError } from '../adapters/lancedb/store-error.ts'
export { SandboxError } from '../adapters/processes/sandbox/sandbox.ts'
