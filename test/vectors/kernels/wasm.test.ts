import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileKernel, kernelModules, moduleSource } from '../../../bench/kernels/compile-kernel.ts'
import { packageRoot } from '../../../src/package-root.ts'

test.each(kernelModules)('the committed bytes of $name are those of its source', async (module) => {
  const bytes = await compileKernel(module)
  expect(await readFile(join(packageRoot, module.target, `${module.name}.wasm.ts`), 'utf8')).toBe(
    await moduleSource(module, bytes),
  )
})
