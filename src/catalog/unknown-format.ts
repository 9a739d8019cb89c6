import { printParseErrorCode, visit } from 'jsonc-parser'
import { isTomlPath, readConfig } from '../hosts/config-text.ts'
import { whyNotYaml } from './formats/parse-yaml.ts'
import { hasEnding } from './path-names.ts'
import type { Problem, Reader, SourceDocument } from './ports.ts'

/**
 * What to tell about a document that no reader recognises: where its JSON, YAML or TOML breaks, when that is the reason, else
 * which formats are known.
 */
export function explainUnknownFormat(document: SourceDocument, readers: readonly Reader[]): Problem {
  const place =
    hasEnding(document.path, 'json', 'jsonc') && document.json() === undefined
      ? brokenAt(document.text)
      : undefined
  const toml = isTomlPath(document.path) ? readConfig(document.path, document.text) : undefined
  if (toml?.kind === 'broken') {
    return {
      severity: 'error',
      file: document.label,
      field: `line ${toml.line}`,
      message: `the TOML is broken at line ${toml.line}: ${toml.reason}`,
      remedy: 'Correct the line and index the file again.',
    }
  }
  const yaml = hasEnding(document.path, 'yaml', 'yml') ? yamlBreakIn(document) : undefined
  if (yaml !== undefined) {
    const [, reason = yaml, line] = /^(.*) \(line (\d+)\)$/s.exec(yaml) ?? []
    const at = line === undefined ? '' : ` at line ${line}`
    return {
      severity: 'error',
      file: document.label,
      field: line === undefined ? 'text' : `line ${line}`,
      message: `the YAML is broken${at}: ${reason}`,
      remedy: 'Correct the line and index the file again.',
    }
  }
  if (place !== undefined) {
    return {
      severity: 'error',
      file: document.label,
      field: `line ${place.line}`,
      message: `the JSON is broken at line ${place.line}, column ${place.column}: ${place.reason}`,
      remedy: 'Correct the line and index the file again.',
    }
  }
  return {
    severity: 'error',
    file: document.label,
    message: 'the format is not known',
    remedy: ['Known formats:', ...readers.map(({ describes }) => `- ${describes}`)].join('\n'),
  }
}

/** Why a text is no YAML. Several documents in one file are sound, and templates are no YAML yet. */
function yamlBreakIn(document: SourceDocument): string | undefined {
  if (document.yaml() !== undefined || /\{\{|\{%/.test(document.text)) return undefined
  const reason = whyNotYaml(document.text)
  return reason === undefined || /single document/.test(reason) ? undefined : reason
}

/** Thrown to end the visit at the first error. */
class FirstError extends Error {
  readonly place: { readonly line: number; readonly column: number; readonly reason: string }
  constructor(place: FirstError['place']) {
    super(place.reason)
    this.place = place
  }
}

function brokenAt(text: string): FirstError['place'] | undefined {
  try {
    visit(
      text,
      {
        onError(code, _offset, _length, line, column) {
          const reason = printParseErrorCode(code)
            .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
            .toLowerCase()
          throw new FirstError({ line: line + 1, column: column + 1, reason })
        },
      },
      { allowTrailingComma: true },
    )
    return undefined
  } catch (error) {
    if (error instanceof FirstError) return error.place
    if (error instanceof RangeError) return undefined // nested deeper than can be followed
    throw error
  }
}
