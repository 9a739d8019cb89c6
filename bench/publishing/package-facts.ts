import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What package.json says of the product: everything that is published takes it from there. */
export type PackageFacts = {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly keywords: readonly string[]
  /** The name in the MCP registry, `io.github.<owner>/<server>`. */
  readonly mcpName: string
  readonly repository: { readonly type: 'git'; readonly url: string }
}

/** @param folder - that of package.json */
export const packageFacts = (folder: string): PackageFacts =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFacts

/** The repository's page: `https://github.com/<owner>/<name>`. */
export const repositoryPage = ({ repository }: PackageFacts): string =>
  repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

/** The image without its tag; registries want small letters. */
export const imageName = (facts: PackageFacts): string =>
  `ghcr.io${new URL(repositoryPage(facts)).pathname.toLowerCase()}`
