/** Template of the resources that are transcripts of executions. */
export const transcriptUriTemplate = 'audition://transcripts/{outcome}'

/** The resource of an execution's transcript. */
export const transcriptUri = (outcome: string): string =>
  `audition://transcripts/${encodeURIComponent(outcome)}`
