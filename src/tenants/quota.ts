/** One bound of a tenant, as data: the command line and docs/scale.md show this table. */
type QuotaField = {
  readonly least: number
  readonly most: number
  readonly byDefault: number
  readonly says: string
}

/** What keeps one tenant from taking the server, the disk or the memory from the others. */
export const quotaFields = {
  requests: {
    least: 1,
    most: 1_000_000,
    byDefault: 1_200,
    says: 'requests a minute of all its callers together',
  },
  open: { least: 1, most: 10_000, byDefault: 64, says: 'requests that are open at once' },
  jobs: {
    least: 0,
    most: 64,
    byDefault: 1,
    says: 'probes, evaluations, compositions and runs of agents at once; 0 forbids them',
  },
  cards: {
    least: 1,
    most: 100_000_000,
    byDefault: 100_000,
    says: 'cards of its index: they decide what memory it takes',
  },
  megabytes: {
    least: 1,
    most: 100_000_000,
    byDefault: 2_000,
    says: 'megabytes of its files on this disk: beyond, no probe or evaluation starts',
  },
} as const satisfies { readonly [name: string]: QuotaField }

export type QuotaName = keyof typeof quotaFields
export type Quota = { readonly [name in QuotaName]: number }

export const quotaNames = Object.keys(quotaFields) as readonly QuotaName[]

/** Bounds that differ from the defaults. */
export type SetQuota = { readonly [name in QuotaName]?: number | undefined }

/** All bounds, with the default where none is set. */
export const quotaOf = (set: SetQuota): Quota =>
  Object.fromEntries(quotaNames.map((name) => [name, set[name] ?? quotaFields[name].byDefault])) as Quota
