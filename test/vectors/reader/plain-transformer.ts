import type { Tables } from '../../../bench/random-reader.ts'
import type { EncoderShape } from '../../../src/vectors/reader/encoder-tables.ts'

type Row = readonly number[]

/**
 * BERT with its norms behind each part, mean pooled, in 64-bit floating point, as plain as it can be written.
 *
 * @param steps - to how many steps of their largest value activations are rounded before a linear layer; null rounds nothing
 * @see Devlin, Chang, Lee & Toutanova, NAACL 2019; Vaswani et al., NeurIPS 2017
 */
export function plainTransformer(shape: EncoderShape, tables: Tables, steps: number | null) {
  const table = (name: string): Int8Array | Float32Array => tables.get(name)!
  const rounded = (row: Row): Row => {
    const peak = Math.max(...row.map(Math.abs))
    if (steps === null || peak === 0) return row
    return row.map((value) => (Math.round((value * steps) / peak) * peak) / steps)
  }
  const linear = (name: string, row: Row): Row => {
    const [weight, scale, bias] = [table(`${name}.weight`), table(`${name}.scale`), table(`${name}.bias`)]
    const inputs = rounded(row)
    return Array.from(bias, (added, output) => {
      const at = output * inputs.length
      return (
        inputs.reduce((sum, value, input) => sum + value * weight[at + input]!, 0) * scale[output]! + added
      )
    })
  }
  const norm = (name: string, row: Row): Row => {
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length
    const unit = 1 / Math.sqrt(variance + shape.epsilon)
    const [weight, bias] = [table(`${name}.weight`), table(`${name}.bias`)]
    return row.map((value, at) => (value - mean) * unit * weight[at]! + bias[at]!)
  }
  const plus = (row: Row, other: Row): Row => row.map((value, at) => value + other[at]!)
  const gelu = (x: number): number =>
    0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))

  const attention = (name: string, rows: readonly Row[]): readonly Row[] => {
    const [queries, keys, values] = ['query', 'key', 'value'].map((part) =>
      rows.map((row) => linear(`${name}.${part}`, row)),
    ) as [Row[], Row[], Row[]]
    const width = shape.hidden / shape.heads
    const head = (row: Row, at: number): Row =>
      row.slice(width * Math.floor(at / width), width * (Math.floor(at / width) + 1))
    return queries.map((query) =>
      query.map((_, at) => {
        const scores = keys.map((key) => dot(head(query, at), head(key, at)) / Math.sqrt(width))
        const powers = scores.map((score) => Math.exp(score - Math.max(...scores)))
        const sum = powers.reduce((all, power) => all + power, 0)
        return (
          dot(
            powers,
            values.map((value) => value[at]!),
          ) / sum
        )
      }),
    )
  }

  const layer = (name: string, rows: readonly Row[]): readonly Row[] => {
    const context = attention(`${name}.attention`, rows)
    return rows.map((row, at) => {
      const attended = norm(
        `${name}.attention.norm`,
        plus(row, linear(`${name}.attention.output`, context[at]!)),
      )
      const wide = linear(`${name}.intermediate`, attended).map(gelu)
      return norm(`${name}.output.norm`, plus(attended, linear(`${name}.output`, wide)))
    })
  }

  return (tokens: readonly number[]): Row => {
    const { hidden, layers } = shape
    const part = (name: string, row: number): Row =>
      Array.from(table(name).slice(row * hidden, (row + 1) * hidden))
    let rows: readonly Row[] = tokens.map((token, place) => {
      const scale = table('embeddings.word.scale')[token]!
      const word = part('embeddings.word', token).map((value) => value * scale)
      return norm('embeddings.norm', plus(word, part('embeddings.position', place)))
    })
    for (let number = 0; number < layers; number++) rows = layer(`layers.${number}`, rows)
    const mean = rows[0]!.map((_, at) => rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length)
    const length = Math.hypot(...mean)
    return mean.map((value) => value / length)
  }
}

const dot = (a: Row, b: Row): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
