import { benches } from './benches.ts'
import { runBenches } from './run-benches.ts'

runBenches({ command: 'bench', title: 'Audition bench', benches })
