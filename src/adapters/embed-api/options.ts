import { EmbeddingModelError } from '../../retrieval/rank/embedding-model-error.ts'
import { modelLine } from '../../retrieval/rank/model-line.ts'
import { isWebAddress, unusablePlace } from '../http/ask-json.ts'
import { familyOf } from '../transformers/files/options.ts'
import { type EmbedFormat, wireNames, wires } from './wires.ts'

/** A service that embeds, with everything decided. */
export type EmbedOptions = {
  readonly format: EmbedFormat
  /** Where it listens, without the path of its requests and a slash at the end. */
  readonly base: string
  readonly model: string
  /** Values of a vector that it is asked for; undefined for as many as the model gives. */
  readonly dimensions: number | undefined
  /** Texts in one request. */
  readonly batch: number
  /** What of a text is sent, in characters. */
  readonly maxCharacters: number
  /** For the request of a search; one with cards may take {@link patience} times as long. */
  readonly seconds: number
  /** Texts of cards that are sent without anybody having agreed; undefined for few, and none as long as none were sent. */
  readonly unasked: number | undefined
  readonly queryPrefix: string
  readonly documentPrefix: string
}

const known = {
  format: { words: wireNames },
  dimensions: { least: 1, most: 16_384 },
  batch: { least: 1, most: 2048, usual: 64 },
  maxCharacters: { least: 100, most: 100_000, usual: 8000 },
  seconds: { least: 1, most: 600, usual: 10 },
  unasked: { least: 0, most: 100_000_000 },
  queryPrefix: 'text',
  documentPrefix: 'text',
} as const

const example = 'embed:openai#text-embedding-3-small or embed:http://127.0.0.1:8080/v1#bge-m3'

/**
 * Reads `<base>#<model>?dimensions=512`. The base is an address, or a provider's name for its own. Without `format` the host tells it; of
 * other hosts it is OpenAI's. Words before queries and cards are those of the model's family, where its name tells it and the service does
 * not put them there itself.
 *
 * @param line - what stands after `embed:`
 * @throws EmbeddingModelError when it names no address or model; it never repeats credentials
 */
export function embedOptions(line: string, key: string | undefined): EmbedOptions {
  const make = (message: string, remedy: string) => new EmbeddingModelError(message, remedy)
  const { what, settings } = modelLine(line, known, { variable: 'AUDITION_MODEL', make })
  const [place = '', ...models] = what.split('#')
  const model = models.join('#')
  const named = wireNames.find((name) => name === place)
  const address = named === undefined ? place : wires[named].base
  if (!isWebAddress(address) || !/^[^\s#]+$/.test(model)) {
    throw make(
      unusablePlace(place, { variable: 'AUDITION_MODEL', kind: 'embed:', names: wireNames }),
      `Write embed:<address>#<model>, for example ${example}; a key stands in AUDITION_MODEL_KEY.`,
    )
  }
  const { host, pathname } = new URL(address)
  const ofHost = wireNames.find((name) => wires[name].hosts.test(host))
  const ofPath = pathname.startsWith('/v1') ? 'openai' : undefined
  const format = settings.format ?? named ?? (ofHost === 'ollama' ? ofPath : undefined) ?? ofHost ?? 'openai'
  const wire = wires[format]
  if (ofHost !== undefined && wires[ofHost].needsKey && key === undefined)
    throw make(`${host} needs a key.`, 'Set AUDITION_MODEL_KEY to your key of it.')
  // LM Studio writes this before every model.
  const family = wire.knowsRoles ? undefined : familyOf(model.replace(/^text-embedding-/, ''))
  const { queryPrefix = family?.queryPrefix ?? '', documentPrefix = family?.documentPrefix ?? '' } = settings
  return {
    ...settings,
    format,
    model,
    queryPrefix,
    documentPrefix,
    base: address.replace(/(?<!\/)\/+$/, '').replace(/\/(?:embeddings|api\/embed|embed)$/, ''),
    batch: Math.min(settings.batch, wire.mostTexts),
  }
}
