import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from '../built-program.ts'
import { type BillOfMaterials, productionBill } from './bill-of-materials.ts'
import { runNpm } from './run-npm.ts'

// `npm run sbom [-- file]`: the bill of materials of what users get. SOURCE_DATE_EPOCH sets its time.
const file = resolve(process.argv[2] ?? join(root, 'dist', 'sbom.cdx.json'))
const { code, stdout, stderr } = await runNpm(
  ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
  root,
)
if (code !== 0) throw new Error(`npm sbom ended with ${code}. It needs npm 10 or newer.\n${stderr}`)
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Parameters<
  typeof productionBill
>[1]
const time = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000).toISOString()
const bill = productionBill(JSON.parse(stdout) as BillOfMaterials, manifest, time)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
console.log(`${relative(process.cwd(), file)}: CycloneDX, ${bill.components.length} packages`)
