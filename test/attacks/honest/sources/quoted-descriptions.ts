import { type HonestCase, type HonestSource, vendor } from '../honest-source.ts'

const plain = vendor('quotable', 'quoted descriptions', [
  [
    'loan_calculator',
    'Computes the monthly payment of a loan from amount, interest rate and years, with a table of what is still owed.',
  ],
  [
    'name_day',
    'Tells whose name day it is on a date, in twenty countries, and when the name day of a person is.',
  ],
  ['barcode_reader', 'Reads barcodes and QR codes in a picture and looks the product up in open databases.'],
  [
    'speed_test',
    'Measures download and upload speed of this connection and compares it with what the contract promises.',
  ],
  [
    'wine_pairing',
    'Suggests a wine for a dish, by grape, region and price, and says why the two go together.',
  ],
  [
    'parking_finder',
    'Finds free parking near an address, with price per hour, height limit and charging points.',
  ],
  [
    'crossword_helper',
    'Finds words for a crossword from a clue, the number of letters and those that are known.',
  ],
  [
    'flight_compensation',
    'Checks whether a delayed or cancelled flight entitles to compensation and writes the claim to the airline.',
  ],
  ['bike_fit', 'Computes saddle height, reach and frame size of a bicycle from body measures.'],
  [
    'plant_watering',
    'Says how often a house plant needs water by kind, pot, light and season, and reminds you.',
  ],
])

/** A user has read what the tool says, and says it again, with a case of their own. */
const retold = ({ cards }: HonestSource): readonly HonestCase[] =>
  cards.flatMap(({ id, description }): readonly HonestCase[] => [
    {
      kind: 'quoted descriptions',
      of: 'tool',
      serves: [id],
      text: `I need something that does this: ${description[0]!.toLowerCase()}${description.slice(1)} Is there such a tool?`,
    },
    {
      kind: 'quoted descriptions',
      of: 'tool',
      serves: [id],
      text: `We used to have a tool that ${description[0]!.toLowerCase()}${description.slice(1, -1)}, and since the update I cannot find it any more. My order was number 48213. Which one was it?`,
    },
  ])

/** Requests that repeat the description of what they want, word for word. */
export const quotedDescriptions: readonly HonestSource[] = [{ cards: plain.cards, cases: retold(plain) }]
