import type * as z from 'zod'
import { InputError } from './input-error.ts'

/** What a tool answers: a value that its output schema describes, and the same in a short sentence. */
export type ToolAnswer<Result> = { readonly result: Result; readonly text: string }

/** A tool as its author writes it. `handle` is pure: the same input gives the same answer, at any time, anywhere. */
export type ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> = {
  readonly name: string
  readonly title: string
  /** What it does, when to choose it, and what its limits are. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** Arguments that work. Shown to a caller whose own arguments did not. */
  readonly example: z.input<Input>
  /** @throws InputError when the arguments fit the schema but cannot be used */
  handle(input: z.output<Input>): ToolAnswer<z.output<Output>>
}

/** A tool with its types forgotten, so that tools of different inputs fit in one table. */
export type CatalogTool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly example: { readonly [argument: string]: unknown }
  /** @throws InputError with a message that says what to send instead */
  call(argumentsGiven: unknown): ToolAnswer<{ readonly [field: string]: unknown }>
}

/** Makes a definition callable with unchecked arguments. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolDefinition<Input, Output>,
): CatalogTool {
  return {
    ...tool,
    call(argumentsGiven) {
      const checked = tool.input.safeParse(argumentsGiven ?? {})
      if (checked.success) return tool.handle(checked.data)
      const faults = checked.error.issues.map((issue) => `${fieldOf(issue.path)}: ${issue.message}`)
      throw new InputError(
        `${tool.name}: these arguments do not fit. ${faults.join('; ')}. Send for example ${JSON.stringify(tool.example)}`,
      )
    },
  }
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.length === 0 ? 'arguments' : `"${path.map(String).join('.')}"`
