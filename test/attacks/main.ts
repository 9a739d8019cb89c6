import { runBenches } from '../../bench/run-benches.ts'
import { suites } from './suites.ts'

runBenches({ command: 'attacks', title: 'Audition under attack', benches: suites })
