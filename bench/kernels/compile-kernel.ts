import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/package-root.ts'

/** A module of inner loops, with what its memory asks of the compiler. */
type KernelModule = {
  readonly name: string
  readonly options: readonly string[]
  /** Folder of its source, `<name>.ts`, from the root of the repository. */
  readonly assembly: string
  /** Folder of the compiled module, `<name>.wasm.ts`. */
  readonly target: string
}

const overSharedMemory = '--enable threads --sharedMemory --initialMemory 1 --maximumMemory 65536'.split(' ')

const search = { assembly: 'src/vectors/kernels/assembly', target: 'src/vectors/kernels' }

export const kernelModules: readonly KernelModule[] = [
  {
    name: 'contrastive',
    options: overSharedMemory,
    assembly: 'embeddings/trainer/assembly',
    target: 'embeddings/trainer/src/contrastive',
  },
  { ...search, name: 'dense-scan', options: overSharedMemory },
  { ...search, name: 'token-rows', options: overSharedMemory },
  { ...search, name: 'list-maxima', options: [] },
  { ...search, name: 'tree-scores', options: [] },
  { ...search, name: 'text-encoder', options: overSharedMemory },
]

const compiler = join(packageRoot, 'node_modules/assemblyscript/bin/asc.js')
const usual = '-O3 --runtime stub --enable simd --importMemory --noAssert --use abort='.split(' ')

/**
 * Compiles AssemblyScript to WebAssembly. The same source and compiler give the same bytes.
 *
 * @throws Error with the compiler's words when the source does not compile
 */
export async function compileKernel({ name, options, assembly }: KernelModule): Promise<Uint8Array> {
  const scratch = await mkdtemp(join(tmpdir(), 'audition-kernel-'))
  try {
    const target = join(scratch, 'kernel.wasm')
    await promisify(execFile)(
      process.execPath,
      [compiler, `${name}.ts`, '-o', target, ...usual, ...options],
      { cwd: join(packageRoot, assembly) },
    )
    return await readFile(target)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The module as the sources hold it: its bytes as base64 in a TypeScript file. */
export const moduleSource = (name: string, bytes: Uint8Array): string =>
  `// Made from assembly/${name}.ts by: npm run kernels\n` +
  `export const wasm =\n  '${Buffer.from(bytes).toString('base64')}'\n`
