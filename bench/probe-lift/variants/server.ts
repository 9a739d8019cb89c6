import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type * as z from 'zod'
import type { CatalogTool } from '../../../catalog/servers/shared/tool.ts'
import { bundledTools } from './bundled-tools.ts'
import { type Answering, faults, soundAnswering } from './faults.ts'
import { publishers } from './publishers.ts'
import { readVariants } from './variants.ts'

/**
 * `node server.js <publisher> <server>`: one publisher's variants of a bundled server's tools, over stdin and stdout.
 * The answer key says which of them are sound; nothing that the server lists does.
 */
const [publisher = '', serverName = ''] = process.argv.slice(2)
const worded = publishers.get(publisher)
const tools = bundledTools.get(serverName)
if (worded === undefined || tools === undefined) {
  process.stderr.write(
    `Say who serves what: one of ${[...publishers.keys()].join(', ')}, then one of ${[...bundledTools.keys()].join(', ')}.\n`,
  )
  process.exit(2)
}

// Compiled, this file lies at dist/bench/bench/probe-lift/variants.
const key = join(import.meta.dirname, '../../../../../bench/probe-lift/variants/variants.tsv')
const faultOf = new Map(
  readVariants(key)
    .filter((variant) => variant.server === serverName && variant.publisher === publisher)
    .map(({ tool, fault }) => [tool, fault]),
)

const answeringOf = (tool: CatalogTool): Answering =>
  faults.find(({ name }) => name === faultOf.get(tool.name))?.wrap(tool, { publisher, wait }) ??
  soundAnswering(tool)

serveStdio(() => {
  const server = new McpServer({ name: `${publisher}-${serverName}`, version: '1.0.0' })
  for (const tool of tools) {
    const answer = answeringOf(tool)
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: worded(tool.description),
        inputSchema: advertised(tool.input),
        outputSchema: advertised(tool.output),
        annotations: { readOnlyHint: true },
      },
      async (given) => {
        const { text, structured } = await answer(given)
        return {
          content: [{ type: 'text', text }],
          ...(structured === undefined ? {} : { structuredContent: structured }),
        }
      },
    )
  }
  return server
})

/** The schema as `tools/list` shows it. The tool checks arguments; answers are as the fault has them. */
const advertised = (schema: z.ZodObject) => ({
  '~standard': { ...schema['~standard'], validate: (value: unknown) => ({ value }) },
})
