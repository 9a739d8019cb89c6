import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../src/package-root.ts'
import { compileKernel, kernelModules, moduleSource } from './compile-kernel.ts'

for (const module of kernelModules) {
  const bytes = await compileKernel(module)
  await writeFile(
    join(packageRoot, module.target, `${module.name}.wasm.ts`),
    await moduleSource(module, bytes),
  )
  console.log(`${module.name}: ${bytes.length} bytes`)
}
