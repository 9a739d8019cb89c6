import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { link, packedPackage, typeFaults } from '../../fixtures/packed-package.ts'
import { hostPrograms } from './host-programs.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const { clean, printed, remove } = await packedPackage()
afterAll(remove)

/**
 * The SDKs of hosts as the programs find them: all, where `npm run host-examples` installed them; else the one that development has, under
 * a name of its own beside another version.
 */
const apart = join(root, 'examples', 'hosts', 'node_modules')
const packages = join(clean, 'examples', 'hosts', 'node_modules')
if (existsSync(apart)) link(apart, packages)
else link(join(root, 'node_modules', 'openai-sdk'), join(packages, 'openai'))

const modulesOf = (program: string): string =>
  program.startsWith('hosts/') ? packages : join(clean, 'node_modules')

describe.each(hostPrograms)('$program', ({ program, needs, prints, typed }) => {
  const has = existsSync(join(modulesOf(program), needs))
  const title = has ? 'against the real package' : 'skipped: npm run host-examples installs the package'

  test.skipIf(!has)(`searches ${title}`, async () => {
    const lines = (await printed(join('examples', program))).split('\n')
    const missing = prints.filter(
      (wanted) => !lines.some((line) => (typeof wanted === 'string' ? line === wanted : wanted.test(line))),
    )
    expect(missing, lines.join('\n')).toEqual([])
  })

  test.skipIf(!has)(`has types that hold ${title}`, async () => {
    const file = join(clean, 'examples', dirname(program), `typed-${program.replace(/\W/g, '-')}.mts`)
    writeFileSync(file, typed)
    expect(await typeFaults(clean, [file], 'nodenext', '--skipLibCheck')).toBe('')
  })
})
