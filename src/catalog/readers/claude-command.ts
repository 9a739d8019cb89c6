import {
  detailsBeside,
  hasFrontMatter,
  markdownAgent,
  matterOf,
  scalarText,
  toolsOf,
  withoutField,
} from '../formats/markdown-agent.ts'
import { statementOf } from '../formats/example-dialogues.ts'
import { fileStem, hasEnding } from '../path-names.ts'
import type { Reader } from '../ports.ts'

const policyFields = ['argument-hint', 'disable-model-invocation', 'context', 'agent']
const ownFields = ['name', 'description', 'allowed-tools', 'model', 'hooks']

/**
 * Reads slash commands of Claude Code, which are skills in one file: the text is the prompt, the name is the file's, with
 * the folders below `commands` before it.
 *
 * @see https://docs.claude.com/en/docs/claude-code/slash-commands
 */
export const claudeCommand: Reader = {
  name: 'claude-command',
  describes: 'Claude Code commands, .claude/commands/*.md (Markdown with front matter)',
  grain: 'card',
  recognises(document) {
    if (!hasEnding(document.path, 'md') || commandOf(document.path) === '' || !hasFrontMatter(document))
      return false
    const { fields } = matterOf(document)
    // Manuals have folders of this name, too.
    return (
      isOwnCommand(document.path) ||
      [fields['argument-hint'], fields['allowed-tools']].some((field) => field !== undefined)
    )
  },
  read(document) {
    const matter = matterOf(document)
    const { fields, body, problems } = matter
    // Claude Code shows the first line of a command that has no description.
    const stated = statementOf(scalarText(fields.description) || firstLineOf(body))
    const name = commandOf(document.path) || fileStem(document.path)
    if (stated.description === '' || name === '') {
      const absent = withoutField(document, 'command', 'description')
      const message = `${absent.message} and no text`
      return { cards: [], servers: [], problems: [...problems, { ...absent, message }] }
    }
    const card = markdownAgent(matter, {
      agentKind: 'skill',
      name,
      ...stated,
      tools: toolsOf(fields['allowed-tools']),
      policy: policyFields,
      details: detailsBeside(fields, [...ownFields, ...policyFields]),
    })
    return { cards: [card], servers: [], problems }
  },
}

const firstLineOf = (body: string): string =>
  body
    .split('\n')
    .map((line) => line.replace(/^#+\s*/, '').trim())
    .find((line) => line !== '') ?? ''

/** A folder `commands` somewhere within a folder `.claude`. */
function isOwnCommand(path: string): boolean {
  const own = /[\\/]\.claude(?=[\\/])/.exec(path)
  return own !== null && /[\\/]commands[\\/]/.test(path.slice(own.index + own[0].length))
}

/** `git:tidy` of `commands/git/tidy.md`; empty for what lies in no such folder. */
const commandOf = (path: string): string =>
  hasEnding(path, 'md')
    ? (
        path
          .slice(0, -'.md'.length)
          .split(/[\\/]commands[\\/]/i)
          .slice(1)
          .at(-1) ?? ''
      ).replaceAll(/[\\/]/g, ':')
    : ''
