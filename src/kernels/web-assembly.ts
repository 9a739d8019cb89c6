/** What this project uses of WebAssembly; neither the language's nor Node's type library declares it. */
declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array<ArrayBuffer>)
    }
    class Memory {
      constructor(size: { initial: number; maximum?: number; shared?: boolean })
      readonly buffer: ArrayBuffer
      /** Views of the former buffer lose their content. */
      grow(pages: number): number
    }
    class Instance {
      constructor(module: Module, imports: { readonly env: { readonly memory: Memory } })
      readonly exports: { readonly [name: string]: unknown }
    }
  }
}

export {}
