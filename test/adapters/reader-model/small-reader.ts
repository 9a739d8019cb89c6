import { writeRandomReader } from '../../../bench/random-reader.ts'
import { temporaryFolder } from '../../catalog/temporary-folder.ts'

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789_():"<>/\'-.,']

/** Writes a reader that was never trained, with two layers of 48 values. */
export const writeSmallReader = (folder: string): void =>
  writeRandomReader(folder, {
    shape: { layers: 2, hidden: 48, heads: 4, intermediate: 96, positions: 40, epsilon: 1e-12 },
    pieces: [
      '[PAD]',
      '[UNK]',
      '[CLS]',
      '[SEP]',
      ...letters,
      ...letters.map((letter) => `##${letter}`),
      'review',
      'lease',
      'find',
      'weather',
      'of',
      'city',
      'read',
      'file',
      'the',
      '天',
      '气',
      '查',
    ],
    limits: { queryLimit: 24, cardLimit: 40 },
    seed: 1,
  })

/** A folder with such a reader; gone after the test. */
export function smallReader(): string {
  const folder = temporaryFolder()
  writeSmallReader(folder)
  return folder
}
