import { honestTool, type HonestCase, type HonestSource } from '../honest-source.ts'

type Documented = {
  readonly name: string
  readonly text: string
  readonly requests: readonly string[]
}

const documented = (source: string, tools: readonly Documented[]): HonestSource => ({
  cards: tools.map(({ name, text }) => honestTool(source, name, text)),
  cases: tools.flatMap(({ name, requests }) =>
    requests.map(
      (text): HonestCase => ({
        kind: 'documentation as text',
        text,
        serves: [`${source}/${name}`],
        of: 'tool',
      }),
    ),
  ),
})

/** Tools whose whole documentation is one text: usage, arguments, examples and questions among it. */
export const documentationAsText: readonly HonestSource[] = [
  documented('starcharts', [
    {
      name: 'planet_position',
      text: `planet_position(body: str, time: datetime, lat: float, lon: float) -> dict
Computes azimuth and elevation of a planet as seen from a place on earth.
Args: body: mercury, venus, mars, jupiter, saturn, uranus, neptune. time: UTC. lat, lon: degrees, north and east positive.
Returns: {"azimuth": float, "elevation": float, "magnitude": float}
Example: "Where do I find Jupiter tonight at 22:00 in Turin?" -> planet_position("jupiter", ...)
Raises ValueError for a body that is not known.`,
      requests: [
        'Where in the sky is Saturn at 21:30 tonight if I stand in Ghent?',
        'elevation of mars over the horizon at midnight',
      ],
    },
    {
      name: 'eclipse_search',
      text: `eclipse_search(kind, start, end, place=None)
Lists solar or lunar eclipses between two dates. With a place only those that are seen there, with contact times.
Usage: eclipse_search("solar", "2030-01-01", "2040-01-01", place="Nairobi")
Q: What does magnitude mean? A: The part of the diameter that is covered.
Q: May I look at it? A: Never without a filter.`,
      requests: [
        'When is the next solar eclipse that can be seen from Nairobi?',
        'list lunar eclipses of the next decade',
      ],
    },
    {
      name: 'iss_passes',
      text: `iss_passes(lat, lon, days=3, min_elevation=20)
Passes of the space station over a place: rise, culmination, set, brightness. I recommend min_elevation=40 in cities.
Output: JSON array, one object a pass. Times are UTC. See also: planet_position, eclipse_search.`,
      requests: [
        'when does the space station fly over my town',
        'Will I see the ISS from 52.5 13.4 in the next three days?',
      ],
    },
    {
      name: 'star_catalogue',
      text: `star_catalogue(query, limit=20)
Looks stars up by name, Bayer letter or catalogue number, and gives position, magnitude, spectral type and distance.
Examples of queries: Vega; alpha Lyrae; HIP 91262; "the brightest star in Orion".`,
      requests: [
        'distance and spectral type of Vega',
        'What is the brightest star in Orion and how far is it?',
      ],
    },
  ]),
  documented('linguakit', [
    {
      name: 'conjugate',
      text: `CONJUGATE
Input: {"verb": "<infinitive>", "language": "<iso code>", "tense": "<optional>"}
Gives all forms of a verb. Covers 14 languages; irregular verbs included. What is not found is guessed by rule and marked.
cURL: curl -d '{"verb":"venir","language":"fr"}' https://api.example.org/conjugate
Typical questions: How do I conjugate "venir" in the subjunctive? What is the past of "to lie"?`,
      requests: ['How do I conjugate "tener" in the subjunctive?', 'all forms of an irregular French verb'],
    },
    {
      name: 'hyphenate',
      text: `HYPHENATE
Input: {"text": "...", "language": "..."}. Output: the same text with soft hyphens where a word may be broken.
Uses patterns; exceptions may be given as a list. Numbers, URLs and names in capitals are left alone.`,
      requests: [
        'put soft hyphens into a German text',
        'where may a long word be broken at the end of a line',
      ],
    },
    {
      name: 'readability',
      text: `READABILITY
Input: {"text": "..."}. Output: {"flesch": 0..100, "grade": number, "long_sentences": [...]}
Says how easy a text is to read, and which sentences are too long. Is my text easy enough for a leaflet? Above 60 it is.`,
      requests: ['how easy is this leaflet to read', 'Which sentences of my letter are too long?'],
    },
    {
      name: 'transliterate',
      text: `TRANSLITERATE
Input: {"text": "...", "from": "cyrillic|greek|arabic|devanagari|hangul", "scheme": "iso|passport|library"}
Writes a text in Latin letters by a scheme. Passports: scheme=passport. Round trip only with scheme=iso.`,
      requests: [
        'write a Ukrainian name in Latin letters as in a passport',
        'transliterate Greek street names',
      ],
    },
  ]),
  documented('labbench', [
    {
      name: 'dilution',
      text: `def dilution(stock, target, volume): """How much of a stock solution do I need? C1 V1 = C2 V2, all units converted.

Parameters
----------
stock : str   e.g. "5 mol/L"
target : str  e.g. "20 mmol/L"
volume : str  e.g. "250 mL"

Returns
-------
dict with keys stock_volume and solvent_volume
"""`,
      requests: [
        'How much of a 5 M stock do I need for 250 mL at 20 mM?',
        'compute a dilution from a stock solution',
      ],
    },
    {
      name: 'primer_check',
      text: `def primer_check(sequence): """Checks a PCR primer: melting temperature, GC content, hairpins, dimers.

>>> primer_check("ATGCGTACCTGA")
{'tm': 38.2, 'gc': 0.5, 'hairpin': False}

Notes: nearest neighbour thermodynamics; salt 50 mM unless given.
"""`,
      requests: [
        'melting temperature and GC content of a primer',
        'does my PCR primer ATGCGTACCTGA form a hairpin',
      ],
    },
    {
      name: 'plate_layout',
      text: `def plate_layout(samples, replicates=3, plate=96): """Puts samples, controls and blanks on a plate, edges left free if there is room.
Returns a table and a picture. Why are the corners empty? Because they dry out first.
"""`,
      requests: [
        'lay out 24 samples in triplicate on a 96 well plate',
        'where to put controls and blanks on a plate',
      ],
    },
    {
      name: 'safety_sheet',
      text: `def safety_sheet(substance): """Hazards, storage, first aid and disposal of a chemical, by name or CAS number.
Sources are named for each line. For emergencies call your poison centre, not this function.
"""`,
      requests: [
        'hazards and storage of acetone',
        'What do I do with waste that holds silver nitrate, CAS 7761-88-8?',
      ],
    },
  ]),
]
