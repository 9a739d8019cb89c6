import type { CardBase } from './card-base.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { Runtime } from './runtime.ts'

/** What a tool says of itself, normalised from any of the formats that are read. */
export type ToolCard = CardBase & {
  readonly kind: 'tool'
  /** The MCP server, API or system the tool belongs to. */
  readonly server?: string
  /** Inputs, flattened for search and for reading; {@link inputSchema} is what a caller obeys. */
  readonly parameters: readonly Parameter[]
  /** JSON Schema of the arguments, as published. */
  readonly inputSchema?: JsonObject
  /** JSON Schema of the result, as published. */
  readonly outputSchema?: JsonObject
  /** MCP annotations; an absent one is unknown, never assumed. */
  readonly annotations?: ToolAnnotations
  /** The documentation as published, where it is more than the fields above. */
  readonly documentation?: JsonValue
  readonly runtime?: Runtime
}

/** One input of a tool. Nested inputs have dotted names: `address.city`. */
export type Parameter = {
  readonly name: string
  readonly description: string
  readonly type?: string
  readonly required: boolean
}

/** What an MCP tool declares of its effects. Claims of the publisher, not facts. */
export type ToolAnnotations = {
  readonly readOnly?: boolean
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly openWorld?: boolean
}
