import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { type Container, type Manifest, manifestFiles, manifests, type Pod, yamlOf } from './manifests.ts'
import { servesBy } from './serve-flags.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const podOf = ({ spec }: Manifest): Pod | undefined => spec?.template ?? spec?.jobTemplate?.spec.template
const pods = manifests.flatMap((manifest) => podOf(manifest) ?? [])
const containers = pods.flatMap(({ spec }) => spec.containers)
const served = manifests.find(({ kind }) => kind === 'Deployment')!.spec!.template!
const [server] = served.spec.containers as [Container]

/** What the compiler says of manifests as literals of the types of Kubernetes' own API: a field that it does not know is an error. */
function complaints(all: readonly Manifest[]): Promise<string> {
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules', '.cache', 'audition-manifests-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const lines = all.map(({ apiVersion, kind, ...rest }, at) => {
    const group = apiVersion.includes('/') ? apiVersion.replace(/\.k8s\.io/, '') : `core/${apiVersion}`
    return [
      `import type { ${kind} as Kind${at} } from 'kubernetes-types/${group}'`,
      `export const manifest${at}: Kind${at} = ${JSON.stringify({ apiVersion, kind, ...rest })}`,
    ].join('\n')
  })
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'preserve',
    '--types',
    '',
  ]
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, ...options, join(folder, 'manifests.ts')], (_, stdout) =>
      resolve(stdout),
    )
  })
}

test('every manifest is of the types of the API of Kubernetes', async () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual([
    'ConfigMap',
    'CronJob',
    'Deployment',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
  ])
  expect(await complaints(manifests)).toBe('')
})

test('the check finds a field that the API does not know, and a value of another type', async () => {
  const [budget] = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget')
  const typo = { ...budget!, spec: { ...budget!.spec, minAvailabel: 1 } } as Manifest
  expect(await complaints([typo])).toContain('minAvailabel')
  const odd = { ...budget!, spec: { selector: { matchLabels: { name: 7 } } } } as unknown as Manifest
  expect(await complaints([odd])).toContain("'number' is not assignable to type 'string'")
})

test('kustomization names every file, and nothing else', () => {
  const { resources } = yamlOf('kubernetes/kustomization.yaml') as { readonly resources: readonly string[] }
  expect(resources.map((file) => `kubernetes/${file}`).sort()).toEqual(manifestFiles)
})

test('pods run without root, rights, a writable root or a service account', () => {
  expect(pods).toHaveLength(2)
  for (const { spec } of pods) {
    expect(spec.automountServiceAccountToken).toBe(false)
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    for (const container of spec.containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const mounted = container.volumeMounts!.map(({ mountPath }) => mountPath)
      expect(mounted).toEqual(expect.arrayContaining(['/tmp', '/data', '/home/nonroot']))
      const volumes = spec.volumes.map(({ name }) => name)
      expect(container.volumeMounts!.filter(({ name }) => !volumes.includes(name))).toEqual([])
    }
  }
})

test('containers have a version, requests, a bound of memory, and no secret in the file', () => {
  for (const { image, resources, env = [] } of containers) {
    expect(image).toMatch(/^ghcr\.io\/audition-mcp\/audition:\d+\.\d+\.\d+$/)
    expect(Object.keys(resources?.requests ?? {})).toEqual(expect.arrayContaining(['cpu', 'memory']))
    expect(resources?.limits?.memory).toMatch(/^\d+(Mi|Gi)$/)
    expect(env.filter(({ value }) => value !== undefined)).toEqual([])
  }
})

test('what selects pods finds those of the server, and every port by its name', () => {
  const ofServer = Object.entries(served.metadata.labels)
  for (const { kind, spec } of manifests) {
    const selectors = [
      spec?.selector?.matchLabels ?? (kind === 'Service' ? spec?.selector : undefined),
      spec?.podSelector?.matchLabels,
    ]
    for (const selector of selectors)
      if (selector !== undefined) expect(Object.entries(selector), kind).toEqual(ofServer)
  }
  const ports = server.ports!.map(({ name }) => name)
  const named = manifests.flatMap(({ spec }) => [
    ...(spec?.ports ?? []).map(({ targetPort }) => targetPort),
    ...(spec?.ingress ?? []).flatMap((rule) => rule.ports.map(({ port }) => port)),
  ])
  const probed = [server.startupProbe, server.readinessProbe, server.livenessProbe].map(
    (probe) => probe!.httpGet,
  )
  expect([...named, ...probed.map(({ port }) => port)].filter((port) => !ports.includes(port))).toEqual([])
  expect(probed.map(({ path }) => path)).toEqual(['/ready', '/ready', '/health'])
})

test('the server starts with flags that it has, and listens where the manifest says', async () => {
  const { http, metrics } = await servesBy(server.args)
  expect(server.ports!.map(({ containerPort }) => containerPort)).toEqual([http, metrics])
})
