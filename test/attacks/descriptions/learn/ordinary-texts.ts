import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { identify } from '../../../../src/catalog/identity.ts'
import { recognise } from '../../../../src/catalog/readers.ts'
import { type CardText, textsOfCard } from '../../../../src/trust/scan/card-texts.ts'
import { openDocument } from '../../../../src/catalog/source-document.ts'
import type { Card } from '../../../../src/domain/card.ts'
import { cardsOfServers } from '../../../../src/evaluation/datasets/bundled-tools.ts'
import { repositoryFolder } from '../corpus.ts'
import { sharedCards } from '../shared-cards.ts'

type Text = Omit<CardText, 'field'>

/**
 * Texts of cards that attack nobody, each once: those of our own catalogs, and of every second published set.
 *
 * @param data - folder of the published sets
 */
export function ordinaryTexts(data: string): readonly Text[] {
  const sets = [...sharedCards(data)].filter((_, at) => isLearned(at)).flatMap(({ cards }) => cards)
  return distinctTexts([...ownCards(), ...sets])
}

/** Whether a published set is learned from, by its place among all; the others stay unseen. */
export const isLearned = (place: number): boolean => place % 2 === 0

export function distinctTexts(cards: readonly Card[]): readonly Text[] {
  const seen = new Set<string>()
  return cards
    .flatMap((card) => textsOfCard(card))
    .filter(({ register, text }) => {
      const key = `${register} ${text}`
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
}

/** Cards of the bundled catalog: profiles, and tools of its servers as they were recorded. Of the tools none is learned from. */
export const bundledCards = (): readonly Card[] => [
  ...cardsIn(['catalog/**/*.{md,json,yaml}']),
  ...cardsOfServers(repositoryFolder('catalog'), repositoryFolder('evals/bundled/tools.jsonl')),
]

const ownCards = (): readonly Card[] =>
  cardsIn(['catalog/**/*.{md,json,yaml}', 'embeddings/trainer/data/tools/*/tools.jsonl'])

function cardsIn(files: readonly string[]): readonly Card[] {
  const root = repositoryFolder('')
  return globSync(files, { cwd: root })
    .sort()
    .flatMap((path, at) => {
      const document = openDocument(join(root, path))
      const reader = recognise(document)
      if (reader === undefined) return []
      const origin = { reader: reader.name, location: path }
      return identify(
        `own${at}`,
        reader.read(document).cards.map((draft) => ({ draft, origin })),
      ).cards
    })
}
