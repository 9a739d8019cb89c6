import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../built-program.ts'
import { type AuditException, auditLines, auditOutcome } from './audit.ts'
import { readLock } from './lock-file.ts'
import { runNpm } from './run-npm.ts'

// `npm run audit`: exit code 0 when nothing high is unexplained, 1 when something is, 2 when the registry cannot tell.
const file = join(root, 'bench', 'supply-chain', 'audit-exceptions.json')
const exceptions = JSON.parse(readFileSync(file, 'utf8')) as readonly AuditException[]
// Not without the development packages: some of those stand in the built pages.
const words = ['audit', '--audit-level', 'high', '--package-lock-only', '--json']
const { stdout } = await runNpm(words, root)
const users = new Set(readLock(root).flatMap(({ name, isProduction }) => (isProduction ? [name] : [])))
const today = new Date().toISOString().slice(0, 10)
const { lines, code } = auditLines(auditOutcome(stdout, exceptions, today, (name) => users.has(name)))
console.log(lines.join('\n'))
process.exitCode = code
