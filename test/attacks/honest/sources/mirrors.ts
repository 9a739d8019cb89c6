import { honestTool, type HonestCase, type HonestSource } from '../honest-source.ts'

const originals = [
  [
    'geocode',
    'Turns an address into coordinates, with the quality of the match and the parts of the address.',
    'coordinates of an address',
  ],
  [
    'reverse_geocode',
    'Turns coordinates into the nearest address, street and town.',
    'which street is at these coordinates',
  ],
  ['elevation', 'Gives the height above sea level of a point or along a line.', 'how high is this hill'],
  ['timezone', 'Tells the time zone of a place and the offset on a day.', 'time zone of Reykjavik in summer'],
  [
    'isochrone',
    'Draws the area that can be reached within some minutes on foot, by bicycle or car.',
    'what can I reach within 20 minutes by bicycle',
  ],
  [
    'snap_to_road',
    'Moves recorded positions to the roads on which they must have been.',
    'clean up the positions of a delivery van',
  ],
  [
    'static_map',
    'Renders a map of an area as a picture with markers.',
    'a picture of a map with three markers',
  ],
  [
    'boundary',
    'Gives the outline of a town, district or country as a polygon.',
    'outline of a district as polygon',
  ],
] as const

const [from, mirror] = ['openatlas', 'toolmirror']

/** What a directory of tools holds besides what it lists of others. */
const ofTheDirectory = [
  [
    'list_vendors',
    'Lists the vendors in this directory with their terms.',
    'which vendors are in the directory',
  ],
  ['vendor_status', 'Says whether a vendor answers at the moment.', 'is a vendor down'],
] as const

/** A directory that lists the tools of another publisher under its own name, as directories do. */
export const mirrors: readonly HonestSource[] = [
  {
    cards: [
      ...originals.map(([name, description]) => honestTool(from, name, description)),
      ...originals.map(([name, description]) => honestTool(mirror, name, description)),
      ...ofTheDirectory.map(([name, description]) => honestTool(mirror, name, description)),
    ],
    cases: [
      ...originals.map(
        ([name, , text]): HonestCase => ({
          kind: 'mirrors',
          text,
          serves: [`${from}/${name}`, `${mirror}/${name}`],
          of: 'tool',
        }),
      ),
      ...ofTheDirectory.map(
        ([name, , text]): HonestCase => ({
          kind: 'mirrors',
          text,
          serves: [`${mirror}/${name}`],
          of: 'tool',
        }),
      ),
    ],
  },
]
