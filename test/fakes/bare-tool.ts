import type { ToolCard } from '../../src/domain/card.ts'

/** A tool of which nothing but its id is known, whatever its form. */
export const bareTool = (id: string): ToolCard => ({
  id,
  source: id.split('/')[0]!,
  kind: 'tool',
  name: id,
  description: '',
  examples: [],
  tags: [],
  parameters: [],
  provenance: { reader: 'test', location: 'test' },
  flags: [],
})
