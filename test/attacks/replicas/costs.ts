import type { RequestCounts } from '../../fixtures/faulty-way.ts'

/**
 * List prices of Amazon S3 Standard in us-east-1, in dollars: a thousand PUT, POST or LIST, a thousand GET or HEAD, and a gigabyte for a
 * month. DELETE is free, and so is what a machine in the same region reads.
 */
export const prices = { write: 0.005, read: 0.0004, gigabyteMonth: 0.023 } as const

/** Dollars of so many requests. A POST deletes, which is free, or begins or ends an upload in parts: two of each file beyond 5 MB, left out. */
export const costOf = ({ LIST, PUT, GET, HEAD }: RequestCounts): number =>
  ((LIST + PUT) * prices.write + (GET + HEAD) * prices.read) / 1000

/** What a month costs in requests, as it was measured. */
export type Month = {
  readonly replicas: number
  /** Hours a day in which a replica is searched: without a search in half a minute it asks nothing. */
  readonly hours: number
  readonly commitsADay: number
}

const days = 30

export function costOfMonth(
  { replicas, hours, commitsADay }: Month,
  measured: { readonly minute: RequestCounts; readonly news: RequestCounts; readonly commit: RequestCounts },
): { readonly looks: number; readonly news: number; readonly commits: number } {
  return {
    looks: costOf(measured.minute) * 60 * hours * days * replicas,
    news: costOf(measured.news) * commitsADay * days * replicas,
    commits: costOf(measured.commit) * commitsADay * days,
  }
}
