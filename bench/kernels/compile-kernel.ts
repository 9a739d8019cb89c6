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
  /** Source whose classes are blocks of arguments that the module's callers write. */
  readonly blocks?: string
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
  { ...search, name: 'dense-scan', options: overSharedMemory, blocks: 'scan-blocks' },
  { ...search, name: 'token-rows', options: overSharedMemory, blocks: 'token-rows' },
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

/** The module as the sources hold it: its bytes as base64 in a TypeScript file, and what writes its blocks of arguments. */
export async function moduleSource(
  { name, assembly, blocks }: KernelModule,
  bytes: Uint8Array,
): Promise<string> {
  const module =
    `// Made from assembly/${name}.ts by: npm run kernels\n` +
    `export const wasm =\n  '${Buffer.from(bytes).toString('base64')}'\n`
  if (blocks === undefined) return module
  const source = await readFile(join(packageRoot, assembly, `${blocks}.ts`), 'utf8')
  return `import type { ArgumentBlock } from './argument-block.ts'\n${module}${writersOf(source)}`
}

/** A function for each class of a source: it writes the fields in the order in which the compiler lays them out. */
function writersOf(source: string): string {
  const classes = source.matchAll(/^(?:export )?class (\w+) \{\n([^}]*)^\}/gm)
  return Array.from(classes, ([, name, body]) => writerOf(name!, body!)).join('')
}

function writerOf(name: string, body: string): string {
  const fields = Array.from(body.matchAll(/^ {2}(\w+): (.+);$/gm), ([, field, type]) => ({ field, type }))
  const view = (type: string | undefined): string => {
    if (type === 'usize' || type === 'i32') return 'whole'
    if (type === 'f32') return 'real'
    // All of one size: so there is no room between fields.
    throw new Error(`A field of ${name} is ${type}: it takes a usize, an i32 or an f32.`)
  }
  return [
    `export function write${name}(to: ArgumentBlock, it: {`,
    `${fields.map(({ field }) => `  readonly ${field}: number\n`).join('')}}): void {`,
    `${fields.map(({ field, type }, place) => `  to.${view(type)}[${place}] = it.${field}\n`).join('')}}\n`,
  ].join('\n')
}
