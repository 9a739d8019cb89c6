/** What machines and object storage cost, in US dollars: list prices of AWS in us-east-1, June 2026. Change them here for another place. */
export const prices = {
  hoursOfMonth: 730,
  /** Of S3 Standard, a gigabyte and month. */
  storage: 0.023,
  /** A thousand requests that write or list, a thousand that read. */
  puts: 0.005,
  gets: 0.0004,
  /** A gigabyte and month of a disk (gp3). */
  disk: 0.08,
  /** A gigabyte from one zone to another, as a proxy and its replicas pass answers on: both directions. */
  betweenZones: 0.02,
} as const

/** A machine that replicas run on. */
export type Machine = {
  readonly name: string
  readonly cores: number
  readonly gigabytes: number
  readonly dollarsAnHour: number
  /** What its network carries all the time, not for moments. */
  readonly gigabitsASecond: number
}

/** The memory-heavy family at eight gigabytes a core, doubled from size to size; before it the smallest general machine. */
export const machines: readonly Machine[] = [
  { name: 'm7g.large', cores: 2, gigabytes: 8, dollarsAnHour: 0.0816, gigabitsASecond: 0.94 },
  { name: 'r7g.large', cores: 2, gigabytes: 16, dollarsAnHour: 0.1071, gigabitsASecond: 0.94 },
  { name: 'r7g.xlarge', cores: 4, gigabytes: 32, dollarsAnHour: 0.2142, gigabitsASecond: 1.88 },
  { name: 'r7g.2xlarge', cores: 8, gigabytes: 64, dollarsAnHour: 0.4284, gigabitsASecond: 3.75 },
  { name: 'r7g.4xlarge', cores: 16, gigabytes: 128, dollarsAnHour: 0.8568, gigabitsASecond: 7.5 },
]

/** Of a machine's memory what a replica may use: the rest is the system's, and what is read beside it. */
export const usableShare = 0.8

/** The smallest machine that holds so many bytes; undefined when none does. */
export const machineFor = (bytes: number): Machine | undefined =>
  machines.find(({ gigabytes }) => bytes <= gigabytes * usableShare * 2 ** 30)
