import { hostBlock } from '../../src/hosts/block.ts'
import type { HostLaunch } from '../../src/hosts/host.ts'
import { hostNamed } from '../../src/hosts/hosts.ts'
import type { PackageFacts } from './package-facts.ts'

/** A link by which a host takes Audition in. */
export type InstallLink = {
  /** As `audition init` calls the host. */
  readonly host: string
  readonly title: string
  readonly picture: string
  readonly url: string
}

/** How a host starts the published package: this version and no other. */
export const publishedLaunch = ({ name, version }: PackageFacts, host: string): HostLaunch => ({
  command: 'npx',
  args: ['-y', `${name}@${version}`, 'serve', '--for', host],
  env: {},
})

/** The entry of the block that `audition init` prints for a host, with the published package in place of this installation. */
function entryFor(facts: PackageFacts, name: string) {
  const host = hostNamed(name)
  if (host === undefined) throw new Error(`"${name}" is no host that Audition knows.`)
  const place = { home: '/', cwd: '/', env: {}, platform: 'linux' as const }
  return hostBlock(host, publishedLaunch(facts, name), { place })
}

/** Pages show no links of other schemes than http, so that both hosts have an address that leads to theirs. */
export function installLinks(facts: PackageFacts): readonly InstallLink[] {
  const vscode = entryFor(facts, 'vscode')
  const cursor = entryFor(facts, 'cursor')
  const vscodeLink = (scheme: string): string => {
    const config = encodeURIComponent(JSON.stringify({ name: vscode.name, ...vscode.entry }))
    return `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`${scheme}:mcp/install?${config}`)}`
  }
  const config = Buffer.from(JSON.stringify(cursor.entry)).toString('base64')
  const asked = new URLSearchParams({ name: cursor.name, config })
  const badge = (label: string, colour: string): string =>
    `https://img.shields.io/badge/${label}-Install_Audition-${colour}?style=flat-square`
  return [
    { host: 'vscode', title: 'VS Code', picture: badge('VS_Code', '0098FF'), url: vscodeLink('vscode') },
    {
      host: 'vscode',
      title: 'VS Code Insiders',
      picture: badge('VS_Code_Insiders', '24bfa5'),
      url: vscodeLink('vscode-insiders'),
    },
    {
      host: 'cursor',
      title: 'Cursor',
      picture: 'https://cursor.com/deeplink/mcp-install-dark.svg',
      url: `https://cursor.com/en/install-mcp?${asked}`,
    },
  ]
}

const begin = '<!-- install links: npm run publishing -->'
const end = '<!-- end of install links -->'

/** A page with the links between its two marks. @throws Error when the marks are not there */
export function withInstallLinks(page: string, links: readonly InstallLink[]): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The page has no "${begin}" with "${end}" after it.`)
  const lines = links.map(({ title, picture, url }) => `[![Install in ${title}](${picture})](${url})`)
  return `${page.slice(0, from + begin.length)}\n${lines.join('\n')}\n${page.slice(to)}`
}
