import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../built-program.ts'
import { tableLines } from '../render.ts'
import { type LicenceRules, licencesOf, needless } from './licences.ts'
import { readLock } from './lock-file.ts'

// `npm run licences`: the licence of every package that users get; exit code 1 when one may not be used.
const file = join('bench', 'supply-chain', 'licences.json')
const rules = JSON.parse(readFileSync(join(root, file), 'utf8')) as LicenceRules
const packages = licencesOf(
  readLock(root).filter(({ isProduction }) => isProduction),
  rules,
  root,
)
const rows = packages.map(({ name, version, licence, reason }) => [
  name,
  version,
  licence ?? 'none stated',
  reason ?? 'NOT ALLOWED',
])
console.log(tableLines(['package', 'version', 'licence', 'why it may be used'], rows).join('\n'))
const refused = packages.filter(({ reason }) => reason === null)
for (const { name, licence } of refused)
  console.error(
    `${name}: licence ${licence ?? 'is not stated'}, which ${file} does not allow. Replace the package, or add it there with a reason.`,
  )
for (const { package: name } of needless(packages, rules))
  console.error(`${file}: no package needs the exception for ${name} any more. Remove it.`)
console.log(
  `\n${packages.length} packages, ${refused.length} of them not allowed, ${rules.exceptions.length} exceptions.`,
)
if (refused.length > 0) process.exitCode = 1
