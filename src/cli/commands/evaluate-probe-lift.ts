import { defineCommand } from '../command.ts'
import { choicesOf, flag, number } from '../command-options.ts'
import { exitCodes } from '../exit-code.ts'

/** `audition evaluate probe-lift`. */
export const probeLiftCommand = defineCommand({
  description: [
    'Measures what probes add to search. Every bundled tool is there six times under neutral names, with equal',
    'descriptions: once sound, the others with a fault each (wrong unit, stale, truncated, errors on 30% of calls, slow,',
    'off by one, rounded, refusing, empty, constant). Requests in everyday words are searched by description alone and',
    'with the track record of 1, 3 and 5 probes per candidate. Starts the servers of this package and nothing else.',
  ].join(' '),
  options: {
    server: choicesOf('--server <name>', 'only the variants of this bundled server', [
      'arithmetic',
      'calendar',
      'text',
    ]),
    recordWeight: number('--record-weight <number>', 'what the track record weighs (default: as in search)', {
      least: 0,
      most: 10,
      whole: false,
    }),
    json: flag('--json', 'print the figures as JSON'),
  },
  examples: [
    { line: 'audition evaluate probe-lift', does: 'all 372 variants on 18 servers, in a few minutes' },
    { line: 'audition evaluate probe-lift --server calendar', does: 'a third of them' },
  ],
  async run({ flags }, context) {
    const [{ probeLiftView }, { probeLiftLines }] = await Promise.all([
      import('../probe-lift-progress.ts'),
      import('../probe-lift-lines.ts'),
    ])
    const { terminal, signal } = context
    const audition = await context.audition()
    const view = probeLiftView(terminal.stderr)
    try {
      const report = await audition.probeLift({
        servers: flags.server,
        ...(flags.recordWeight === undefined ? {} : { recordWeight: flags.recordWeight }),
        signal,
        onProgress: (progress) => view.show(progress),
      })
      view.stop()
      if (flags.json) context.printJson(report)
      else context.print(...probeLiftLines(report, terminal.stdout))
      return exitCodes.done
    } finally {
      view.stop()
    }
  },
})
