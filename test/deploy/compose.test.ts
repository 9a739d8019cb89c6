import { existsSync } from 'node:fs'
import { DCLinter } from 'dclint'
import { expect, test } from 'vitest'
import { folder, textOf, yamlOf } from './manifests.ts'
import { servesBy } from './serve-flags.ts'

type Service = {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: { readonly [name: string]: string }
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[] | { readonly [service: string]: { readonly condition: string } }
  readonly deploy?: { readonly replicas: number }
  readonly read_only?: boolean
}
const { services } = yamlOf('compose/compose.yaml') as {
  readonly services: { readonly [name: string]: Service }
}

/** The order of keys is left to people. */
const ofOrder = [
  'service-keys-order',
  'services-alphabetical-order',
  'top-level-properties-order',
  'service-dependencies-alphabetical-order',
  'service-ports-alphabetical-order',
]

type Linted = { readonly messages: readonly { readonly rule: string; readonly message: string }[] }

const lint = (path: string) =>
  new DCLinter({
    rules: Object.fromEntries(ofOrder.map((rule) => [rule, 0])),
    quiet: false,
    debug: false,
    exclude: [],
  })
    .lintFiles([path], false)
    .flatMap(({ messages }: Linted) => messages.map(({ rule, message }) => `${rule}: ${message}`))

test('the linter of compose files finds nothing', () => {
  expect(lint(`${folder}compose/compose.yaml`)).toEqual([])
})

test('two replicas of the server have flags that there are, and their metrics are asked for where they are told', async () => {
  const { audition } = services
  expect(audition).toMatchObject({ deploy: { replicas: 2 }, read_only: true })
  const { http, metrics } = await servesBy(audition!.command!)
  const { scrape_configs: jobs } = yamlOf('compose/prometheus.yml') as {
    readonly scrape_configs: readonly {
      readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[]
    }[]
  }
  expect(jobs.flatMap((job) => job.dns_sd_configs)).toMatchObject([
    { names: ['audition'], type: 'A', port: metrics },
  ])
  expect(textOf('compose/Caddyfile')).toContain(`dynamic a audition ${http}`)
})

test('no secret stands in a file, and those that are wanted have no default', () => {
  const secrets = Object.values(services).flatMap(({ environment = {} }) =>
    Object.entries(environment).filter(([name]) => /TOKEN|PASSWORD|SECRET|MC_HOST/.test(name)),
  )
  expect(secrets.length).toBeGreaterThanOrEqual(5)
  for (const [name, value] of secrets) expect(value, name).toMatch(/\$\{[A-Z0-9_]+:\?[^}]+\}/)
})

test('files that are mounted are there, and what is waited for is a service', () => {
  const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.map((volume) => volume.replace(/\$\{TOOLS:-(.*?)\}/, '$1').split(':')[0]!),
  )
  const missing = mounted.filter((path) => path.startsWith('.') && !existsSync(`${folder}compose/${path}`))
  expect(missing).toEqual([])
  for (const { depends_on: waitsFor = [] } of Object.values(services)) {
    const names = Array.isArray(waitsFor) ? waitsFor : Object.keys(waitsFor)
    for (const name of names) expect(Object.keys(services)).toContain(name)
  }
})
