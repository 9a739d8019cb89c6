import * as z from 'zod'
import { textField } from '../shared/fields.ts'
import { defineTool } from '../shared/tool.ts'
import { mergeJson, readJson, typeOf, validateJson, valueAt } from './json-documents.ts'

const json = textField('A JSON document, as text.')
const anyJson = z.unknown().describe('Any JSON value.')

/** JSON documents. */
export const jsonTools = [
  defineTool({
    name: 'validate_json',
    title: 'Validate JSON',
    description:
      'Check whether a text is valid JSON and, if not, say at which line and column it breaks. Use it when a ' +
      'configuration or an answer does not parse.',
    input: z.strictObject({ json }),
    output: z.object({
      valid: z.boolean(),
      type: z.string().optional().describe('object, array, string, number, boolean or null.'),
      size: z.int().optional().describe('Number of fields or items; 1 for a single value.'),
      message: z.string().optional(),
      line: z.int().optional(),
      column: z.int().optional(),
    }),
    example: { json: '{"a": 1, "b": [2, 3]}' },
    handle({ json: text }) {
      const result = validateJson(text)
      return {
        result,
        text: result.valid
          ? `Valid: ${result.type} of size ${result.size}`
          : `Not valid: line ${result.line}, column ${result.column}: ${result.message}`,
      }
    },
  }),
  defineTool({
    name: 'query_json',
    title: 'Query JSON by path',
    description:
      'Take one value out of a JSON document by its JSON Pointer, such as /orders/0/total. Use it to read a field of a ' +
      'large document without quoting it all.',
    input: z.strictObject({
      json,
      pointer: z.string().max(2000).describe('"/orders/0/total"; empty for everything.'),
    }),
    output: z.object({ value: anyJson, type: z.string() }),
    example: { json: '{"orders": [{"total": 42}]}', pointer: '/orders/0/total' },
    handle({ json: text, pointer }) {
      const value = valueAt(readJson(text, 'json'), pointer)
      return { result: { value, type: typeOf(value) }, text: JSON.stringify(value) }
    },
  }),
  defineTool({
    name: 'merge_json',
    title: 'Merge JSON',
    description:
      'Lay a JSON patch over a JSON document: fields are added or replaced, objects merged, null removes a field, lists ' +
      'are replaced as a whole. Use it for configuration overrides.',
    input: z.strictObject({
      json: textField('The document, as text.'),
      patch: textField('The patch, as text.'),
    }),
    output: z.object({ json: z.string().describe('The merged document, indented.') }),
    example: { json: '{"port": 80, "tls": {"on": false}}', patch: '{"tls": {"on": true}, "port": null}' },
    handle({ json: text, patch }) {
      const merged = JSON.stringify(mergeJson(readJson(text, 'json'), readJson(patch, 'patch')), null, 2)
      return { result: { json: merged }, text: merged }
    },
  }),
]
