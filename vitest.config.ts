import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/fixtures/longest-first.ts'

export default defineConfig({
  // Parts that are packages of their own are tested from their sources.
  resolve: {
    alias: {
      'audition-trainer': `${import.meta.dirname}/embeddings/trainer/src/index.ts`,
      'audition-benchmarks': `${import.meta.dirname}/evals/benchmarks/src/index.ts`,
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/fixtures/own-temporary-folder.ts', 'test/fixtures/build-page.ts'],
    // A hang is rare, a machine ten times slower than ours is not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One more than the cores of CI: for a quarter of their time tests wait, for processes and clocks.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Young objects are collected less often, for 4 % less processor time.
    execArgv: ['--max-semi-space-size=64'],
    // Reading cards takes a hundredth of a second each: who tests the reader switches it on. Child processes inherit this.
    env: { AUDITION_READER: 'none' },
    // Races and clocks of a shared machine: what fails is tried once more, and told as such.
    retry: 1,
    // Modules are read once by each worker and not once by each file: two thirds of the time. Tests change nothing that is shared.
    isolate: false,
  },
})
