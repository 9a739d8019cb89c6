import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { mcpHarvester } from '../../src/adapters/mcp-client/mcp-harvester.ts'
import { bundledServers, writeHarvests } from '../../src/evaluation/datasets/bundled-tools.ts'

/** `npm run bundled-tools`: starts the bundled servers, as compiled, and records their tools for the query set. */
const root = process.cwd()
const harvester = mcpHarvester({
  catalogFolder: resolve(root, 'dist', 'bundled'),
  environment: process.env,
  version: '0.0.0',
})
const recorded = []
for (const entry of bundledServers(resolve(root, 'catalog'))) {
  const harvest = await harvester.harvest(entry, new AbortController().signal)
  recorded.push({ entry: entry.name, harvest })
}
const file = resolve(root, 'evals', 'bundled', 'tools.jsonl')
writeFileSync(file, writeHarvests(recorded))
const tools = recorded.reduce((sum, { harvest }) => sum + harvest.tools.length, 0)
process.stdout.write(`${file}: ${tools} tools of ${recorded.length} servers\n`)
