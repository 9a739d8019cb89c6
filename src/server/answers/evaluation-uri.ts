import type { RunId } from '../../evaluation/runs/run-store.ts'

/** Template of the resources that are reports of kept runs. */
export const reportUriTemplate = 'audition://evaluations/{dataset}/{run}'

/** The resource of a run's report. */
export const reportUri = ({ dataset, run }: RunId): string =>
  `audition://evaluations/${encodeURIComponent(dataset)}/${encodeURIComponent(run)}`
