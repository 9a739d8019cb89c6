import type { Finding } from './findings.ts'

/** Findings of one kind as a reader is told of them, the worst kind first. */
export const findingTitles: { readonly [kind in Finding['kind']]: string } = {
  unfindable: 'Cards nobody can find',
  shadowed: 'Cards that stand behind another one',
  'stands-back': 'Sources whose cards stand back',
  duplicate: 'Cards that are listed more than once',
  thin: 'Descriptions that say too little',
  'undocumented-inputs': 'Inputs without descriptions',
}
