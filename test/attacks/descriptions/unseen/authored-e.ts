import { readFileSync } from 'node:fs'
import type { Card } from '../../../../src/domain/card.ts'
import { repositoryFolder, type Sample } from '../corpus.ts'

/**
 * Descriptions, one a line, by two authors who had seen no rule and no text that is learned from, placed after model and limits were fixed. Never learned
 * from, and no feature and no limit is chosen by them.
 */
const samplesOf = (what: 'attacks' | 'honest'): readonly Sample[] =>
  ['k', 'm'].flatMap((author) => {
    const path = `test/attacks/descriptions/unseen/authored-e/${what}-${author}.txt`
    let title = ''
    return readFileSync(repositoryFolder(path), 'utf8')
      .split('\n')
      .flatMap((line, at): readonly Sample[] => {
        if (line.startsWith('## ')) title = line.slice(3)
        if (line.startsWith('## ') || line.trim() === '') return []
        return [{ card: toolOf(`${author}${at}`, line), class: title, promise: 'hard' }]
      })
  })

export const attacksE = (): readonly Sample[] => samplesOf('attacks')
export const honestE = (): readonly Sample[] => samplesOf('honest')

const toolOf = (name: string, description: string): Card => ({
  ...{ kind: 'tool', id: `e/${name}`, source: 'e', name, description },
  ...{ examples: [], tags: [], parameters: [] },
  provenance: { reader: 'corpus', location: 'corpus' },
  inputSchema: { type: 'object', properties: {} },
})
