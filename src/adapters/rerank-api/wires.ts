import { cohere } from './cohere.ts'
import { jina } from './jina.ts'
import { tei } from './tei.ts'
import { voyage } from './voyage.ts'
import type { RerankWire } from './wire.ts'

/** Formats by the names that `format=` gives them. */
export const wires = { cohere, jina, voyage, tei } satisfies { readonly [name: string]: RerankWire }
export type WireName = keyof typeof wires
export const wireNames = Object.keys(wires) as readonly WireName[]
