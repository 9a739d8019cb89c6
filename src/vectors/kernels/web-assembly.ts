export type WasmModule = { readonly wasmModule?: never }

export type WasmMemory = {
  readonly buffer: ArrayBuffer
  /**
   * Views of the former buffer lose their content, unless threads share the memory.
   *
   * @returns how many pages there were: those from there on are the caller's, even where several threads grow it at once
   */
  grow(pages: number): number
}

export type WasmInstance = { readonly exports: { readonly [name: string]: unknown } }

/** What this project uses of the WebAssembly object. */
export type WebAssemblyApi = {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule
  readonly Memory: new (size: { initial: number; maximum?: number; shared?: boolean }) => WasmMemory
  readonly Instance: new (
    module: WasmModule,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ) => WasmInstance
}

/** The WebAssembly object: neither the language's type library nor Node's declares it. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly

/** What opens a module over a memory. It is compiled when it is first opened: a program that never needs it pays nothing. */
export function opensKernels<Kernels>(wasm: string): (memory: WasmMemory) => Kernels {
  let compiled: WasmModule | undefined
  return (memory) => {
    compiled ??= new webAssembly.Module(Uint8Array.from(Buffer.from(wasm, 'base64')))
    return new webAssembly.Instance(compiled, { env: { memory } }).exports as Kernels
  }
}

/** Memory grows by pages of so many bytes. */
export const pageBytes = 65536
/** A memory is at most 4 GiB. */
const mostPages = 65536
/** Where our data begins: compiled modules may keep constants before it. */
export const firstByte = 1024
/** The next place that is a multiple of a cache line, 64 bytes. */
export const aligned = (offset: number): number => Math.ceil(offset / 64) * 64

/** Bytes that several threads look through: they can be sent to any of them. */
export type SharedBytes = { readonly memory: WasmMemory; readonly size: number }

/** Bytes in memory of their own, 0 at first. @throws RangeError when there is no memory for so many */
export function sharedBytes(size: number): SharedBytes {
  const initial = Math.ceil((firstByte + size) / pageBytes)
  return { memory: new webAssembly.Memory({ initial, maximum: mostPages, shared: true }), size }
}

/** At a multiple of 64 bytes. */
export const bytesOf = ({ memory, size }: SharedBytes): Uint8Array<ArrayBuffer> =>
  new Uint8Array(memory.buffer, firstByte, size)

/**
 * Room of the caller's own behind all that a memory holds: other threads may look through the same bytes.
 *
 * @returns its first byte
 */
export const roomIn = (memory: WasmMemory, bytes: number): number =>
  memory.grow(Math.ceil(bytes / pageBytes)) * pageBytes
