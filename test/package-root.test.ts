import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageAbove, packageRoot } from '../src/package-root.ts'

test('the package is found from itself, and from a package beside it that has parts of it compiled in', () => {
  const modules = join(mkdtempSync(join(tmpdir(), 'package-root-')), 'node_modules')
  const [own, trainer] = [join(modules, 'audition-mcp'), join(modules, 'audition-trainer')]
  for (const folder of [join(own, 'catalog'), join(own, 'dist'), join(trainer, 'dist', 'src')])
    mkdirSync(folder, { recursive: true })
  for (const folder of [own, trainer]) writeFileSync(join(folder, 'package.json'), '{}')
  expect(packageAbove(join(own, 'dist'))).toBe(own)
  expect(packageAbove(join(trainer, 'dist', 'src'))).toBe(own)
  expect(packageAbove(join(packageRoot, 'embeddings', 'trainer', 'dist', 'src'))).toBe(packageRoot)
  rmSync(join(modules, '..'), { recursive: true, force: true })
})
