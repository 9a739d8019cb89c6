import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { load, loadAll } from 'js-yaml'
import { globSync } from 'tinyglobby'

/** Where the examples lie. */
export const folder = fileURLToPath(new URL('../../examples/deploy/', import.meta.url))

export const textOf = (file: string): string => readFileSync(`${folder}${file}`, 'utf8')
export const yamlOf = (file: string): unknown => load(textOf(file))

/** What a container of ours says of itself, as far as tests look. */
export type Container = {
  readonly name: string
  readonly image: string
  readonly args: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly resources?: {
    readonly requests?: { readonly [name: string]: string }
    readonly limits?: { readonly [name: string]: string }
  }
  readonly securityContext?: object
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
} & {
  readonly [probe in `${'startup' | 'readiness' | 'liveness'}Probe`]?: {
    readonly httpGet: { readonly path: string; readonly port: string }
  }
}

type Labels = { readonly [name: string]: string }
export type Pod = {
  readonly metadata: { readonly labels: Labels }
  readonly spec: {
    readonly automountServiceAccountToken?: boolean
    readonly securityContext?: object
    readonly containers: readonly Container[]
    readonly volumes: readonly { readonly name: string }[]
  }
}

/** A manifest, as far as tests look. */
export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: {
    readonly template?: Pod
    readonly jobTemplate?: { readonly spec: { readonly template: Pod } }
    readonly selector?: { readonly matchLabels?: Labels }
    readonly podSelector?: { readonly matchLabels: Labels }
    readonly ports?: readonly { readonly targetPort: string }[]
    readonly ingress?: readonly { readonly ports: readonly { readonly port: string }[] }[]
  }
}

export const manifestFiles = globSync('kubernetes/*.yaml', { cwd: folder })
  .filter((file) => !file.endsWith('kustomization.yaml'))
  .sort()
export const manifests = manifestFiles.flatMap((file) => loadAll(textOf(file)) as Manifest[])
