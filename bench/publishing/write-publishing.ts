import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../built-program.ts'
import { installLinks, withInstallLinks } from './install-links.ts'
import { packageFacts } from './package-facts.ts'
import { type ReleasedBundle, serverJson } from './server-json.ts'

// `npm run publishing [-- <folder of bundles>]`: server.json and the links of docs/guide.md, as package.json says. With a folder, server.json
// names the bundles that lie there; the release does so.

const facts = packageFacts(root)
const folder = process.argv[2]
const bundles = folder === undefined ? [] : bundlesIn(resolve(folder))
writeFileSync(join(root, 'server.json'), `${JSON.stringify(serverJson(facts, bundles), null, 2)}\n`)
const guide = join(root, 'docs', 'guide.md')
writeFileSync(guide, withInstallLinks(readFileSync(guide, 'utf8'), installLinks(facts)))
console.log(`server.json and docs/guide.md: ${facts.mcpName} ${facts.version}, ${bundles.length} bundles`)

function bundlesIn(place: string): readonly ReleasedBundle[] {
  const files = readdirSync(place).filter((name) => name.endsWith('.mcpb'))
  if (files.length === 0) throw new Error(`${place} has no bundle (.mcpb).`)
  return files.sort().map((file) => ({
    file,
    sha256: createHash('sha256')
      .update(readFileSync(join(place, file)))
      .digest('hex'),
  }))
}
