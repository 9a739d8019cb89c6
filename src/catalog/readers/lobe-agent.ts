import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { fileName, hasEnding } from '../path-names.ts'
import type { Reader } from '../ports.ts'
import { backboneOf } from '../formats/markdown-agent.ts'
import { detailsOf, field, refused, textOf, textsOf, withoutSecrets } from '../formats/published-fields.ts'

/**
 * Reads agents of the LobeHub market: a title, description and tags under `meta`, the prompt and its plugins under
 * `config`. Opening questions and what users say in the sample dialogue become examples.
 *
 * @see https://github.com/lobehub/lobe-chat-agents
 */
export const lobeAgent: Reader = {
  name: 'lobe-agent',
  describes: 'LobeHub agents (JSON)',
  grain: 'card',
  recognises(document) {
    if (!hasEnding(document.path, 'json') || !document.text.includes('"systemRole"')) return false
    const agent = document.json()
    return isJsonObject(agent) && isJsonObject(agent.meta) && typeof configOf(agent).systemRole === 'string'
  },
  read(document) {
    const agent = document.json()
    if (!isJsonObject(agent)) return { cards: [], servers: [], problems: [] }
    const meta = isJsonObject(agent.meta) ? agent.meta : {}
    const config = configOf(agent)
    const title = textOf(meta.title)
    const name = textOf(agent.identifier) || (fileName(document.path).split('.')[0] ?? '') || title
    if (name === '' || (textOf(meta.description) === '' && title === '')) {
      return refused({
        file: document.label,
        field: 'meta.description',
        message: 'the agent has neither title nor description',
        remedy: 'Fill in "meta.title" and "meta.description".',
      })
    }
    return {
      cards: [
        {
          kind: 'agent',
          agentKind: 'listing',
          name,
          ...field('title', title),
          description: textOf(meta.description) || textOf(agent.summary),
          examples: textsOf(config.openingQuestions, userTurns(agent.examples)),
          tags: textsOf(meta.tags, meta.category),
          ...field('publisher', textOf(agent.author)),
          backbone: backboneOf(config.model),
          tools: textsOf(config.plugins).map((plugin) => ({ name: plugin })),
          policy: isJsonObject(config.params) ? config.params : {},
          ...field('instructions', textOf(config.systemRole)),
          ...detailsOf({
            homepage: withoutSecrets(textOf(agent.homepage)),
            created: agent.createdAt,
            summary: agent.summary,
          }),
        },
      ],
      servers: [],
      problems: [],
    }
  },
}

const configOf = (agent: JsonObject): JsonObject => (isJsonObject(agent.config) ? agent.config : {})

const userTurns = (dialogue: unknown): readonly unknown[] =>
  (Array.isArray(dialogue) ? dialogue : [])
    .filter((turn): turn is JsonObject => isJsonObject(turn) && turn.role === 'user')
    .map((turn) => turn.content)
