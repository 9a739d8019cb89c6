import { readFileSync } from 'node:fs'
import type { Card } from '../../../../src/domain/card.ts'
import { repositoryFolder, type Sample } from '../corpus.ts'

/** A voice, fields and languages of its own each; none had seen a rule or a text that is learned from. */
const authors = ['e', 'f', 'g', 'h', 'i', 'j']

/**
 * Descriptions, one a line, by six authors: mostly quiet attacks, and honest texts that use the same words. Never learned from, and no feature and no limit is
 * chosen by them.
 */
const samplesOf = (what: 'attacks' | 'honest'): readonly Sample[] =>
  authors.flatMap((author) => {
    const path = `test/attacks/descriptions/unseen/authored-d/${what}-${author}.txt`
    let title = ''
    return readFileSync(repositoryFolder(path), 'utf8')
      .split('\n')
      .flatMap((line, at): readonly Sample[] => {
        if (line.startsWith('## ')) title = line.slice(3)
        if (line.startsWith('## ') || line.trim() === '') return []
        return [{ card: toolOf(`${author}${at}`, line), class: title, promise: 'hard' }]
      })
  })

export const attacksD = (): readonly Sample[] => samplesOf('attacks')
export const honestD = (): readonly Sample[] => samplesOf('honest')

const toolOf = (name: string, description: string): Card => ({
  ...{ kind: 'tool', id: `d/${name}`, source: 'd', name, description },
  ...{ examples: [], tags: [], parameters: [] },
  provenance: { reader: 'corpus', location: 'corpus' },
  inputSchema: { type: 'object', properties: {} },
})
