import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { auditLines, type AuditException, auditOutcome } from '../../bench/supply-chain/audit.ts'
import { runNpm } from '../../bench/supply-chain/run-npm.ts'
import { temporaryFolder } from '../catalog/temporary-folder.ts'

/** What a registry tells of the package. */
const brittle = {
  name: 'brittle',
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name: 'brittle', version: '1.0.0' } },
}

/** A registry that knows of these weaknesses, or answers no audits. */
async function registry(answer: { readonly [name: string]: readonly object[] } | 'refuses'): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    if (answer === 'refuses') return void response.writeHead(405).end()
    const isAudit = request.method === 'POST'
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(isAudit ? answer : brittle))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** What npm says of a project that has one package, asked about at a registry. */
async function reported(at: string): Promise<string> {
  const folder = temporaryFolder()
  const dependencies = { brittle: '1.0.0' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'p', version: '1.0.0', dependencies }))
  const packages = {
    '': { name: 'p', version: '1.0.0', dependencies },
    'node_modules/brittle': { version: '1.0.0' },
  }
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ name: 'p', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  )
  mkdirSync(join(folder, 'cache'))
  const words = ['audit', '--omit', 'dev', '--audit-level', 'high', '--package-lock-only', '--json']
  const own = ['--registry', at, '--cache', join(folder, 'cache'), '--fetch-retries', '0']
  return (await runNpm([...words, ...own], folder)).stdout
}

const advisory = (severity: string, id = 'GHSA-aaaa-bbbb-cccc') => ({
  brittle: [
    {
      id: 1,
      url: `https://github.com/advisories/${id}`,
      title: 'It breaks',
      severity,
      vulnerable_versions: '<2',
      cvss: { score: 0, vectorString: null },
    },
  ],
})
const explained = (fields: Partial<AuditException> = {}): AuditException => ({
  advisory: 'GHSA-aaaa-bbbb-cccc',
  package: 'brittle',
  reason: 'we never bend it',
  until: '2026-11-22',
  ...fields,
})

const judged = (report: string, exceptions: readonly AuditException[] = []) =>
  auditLines(auditOutcome(report, exceptions, '2026-11-22'))

test('a registry that knows of nothing gives a clean bill', async () => {
  const told = judged(await reported(await registry({})))
  expect(told).toEqual({ code: 0, lines: ['0 high or critical weaknesses known, 0 of them not explained.'] })
})

test('a weakness that a registry knows of fails, unless it is high and explained, or not high', async () => {
  const report = await reported(await registry(advisory('high')))
  expect(judged(report)).toMatchObject({
    code: 1,
    lines: [
      'brittle: high, GHSA-aaaa-bbbb-cccc, It breaks. NOT EXPLAINED',
      '1 high or critical weaknesses known, 1 of them not explained.',
    ],
  })
  const cases = [
    { why: 'explained, on the last day of that', report, exception: explained(), code: 0 },
    { why: 'explained until yesterday', report, exception: explained({ until: '2026-11-21' }), code: 1 },
    { why: 'explained of another package', report, exception: explained({ package: 'sturdy' }), code: 1 },
    {
      why: 'another weakness is explained',
      report,
      exception: explained({ advisory: 'GHSA-xxxx-yyyy-zzzz' }),
      code: 1,
    },
    { why: 'critical', report: report.replaceAll('"high"', '"critical"'), code: 1 },
    { why: 'moderate', report: report.replaceAll('"high"', '"moderate"'), code: 0 },
  ]
  for (const { why, report: given, exception, code } of cases)
    expect(judged(given, exception === undefined ? [] : [exception]).code, why).toBe(code)
})

test.each([
  { why: 'answers no audits', at: () => registry('refuses') },
  { why: 'cannot be reached', at: async () => 'http://127.0.0.1:9/' },
])(
  'a registry that $why is not taken for a clean bill',
  async ({ at }) => {
    const told = judged(await reported(await at()))
    expect(told).toMatchObject({
      code: 2,
      lines: [expect.stringMatching(/^NOT AUDITED: .*(405|9)/), expect.any(String)],
    })
  },
  30_000,
)

test.each(['', '{}', '[]', 'null', 'Not Found', '{"auditReportVersion":1,"advisories":{}}'])(
  'a report that is no report (%j) is none',
  (written) => {
    expect(auditOutcome(written, [], '2026-11-22').kind).toBe('unanswered')
  },
)

test('every exception says of what, why, and until when', () => {
  const file = join(import.meta.dirname, '..', '..', 'bench', 'supply-chain', 'audit-exceptions.json')
  for (const exception of JSON.parse(readFileSync(file, 'utf8')) as AuditException[]) {
    expect(exception.advisory).toMatch(/^GHSA(-[a-z0-9]{4}){3}$/)
    expect(exception.reason.length).toBeGreaterThan(20)
    expect(exception.until).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  }
})
