/** The resource that shows the catalog. */
export const catalogUri = 'audition://catalog'

/** Template of the resources that are sources. */
export const sourceUriTemplate = 'audition://sources/{source}'

/** The resource of a source. */
export const sourceUri = (id: string): string =>
  `audition://sources/${encodeURIComponent(id.replace(/\p{Cs}/gu, '\ufffd'))}`
