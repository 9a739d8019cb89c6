import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is done to one file: a kind of harm, at a place in it. */
export type Harm = { readonly name: string; do(file: string): void }

/** Where in a file, as a share of its length. */
const places = { start: 0.02, middle: 0.5, end: 0.96 } as const
const blockBytes = 64

const changed = (file: string, change: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(file)
  change(bytes)
  writeFileSync(file, bytes)
}

/** The bytes of a third of a file, by place. */
const thirdOf = (bytes: Buffer, share: number): readonly [number, number] => {
  const third = Math.ceil(bytes.length / 3)
  const from = Math.min(bytes.length - third, Math.floor(share * 3) * third)
  return [from, from + third]
}

/** Each kind of harm at three places; a file that is gone is gone everywhere. */
export const harms: readonly Harm[] = [
  ...Object.entries(places).flatMap(([place, share]): readonly Harm[] => {
    const at = (bytes: Buffer): number => Math.floor(bytes.length * share)
    return [
      {
        name: `a bit flipped, ${place}`,
        do: (file) =>
          changed(file, (bytes) => {
            if (bytes.length > 0) bytes[at(bytes)]! ^= 0x10
          }),
      },
      {
        name: `${blockBytes} bytes flipped, ${place}`,
        do: (file) =>
          changed(file, (bytes) => {
            const end = Math.min(bytes.length, at(bytes) + blockBytes)
            for (let byte = at(bytes); byte < end; byte += 1) bytes[byte]! ^= 1 << (byte % 8)
          }),
      },
      { name: `cut off, ${place}`, do: (file) => truncateSync(file, at(readFileSync(file))) },
      {
        name: `a third zeroed, ${place}`,
        do: (file) => changed(file, (bytes) => void bytes.fill(0, ...thirdOf(bytes, share))),
      },
    ]
  }),
  { name: 'all zeroed', do: (file) => changed(file, (bytes) => void bytes.fill(0)) },
  { name: 'deleted', do: (file) => rmSync(file) },
]

/** Files below a folder, relative to it, in order. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort()
