import type { DefenceSettings } from '../../src/retrieval/defences/defence-settings.ts'

/** As if nobody ever wrote a card to be found: for measuring. */
export const noDefences: DefenceSettings = {
  nearCopies: false,
  caps: false,
  depth: false,
  publisherShape: false,
  echo: false,
  excess: false,
  provenance: false,
}
