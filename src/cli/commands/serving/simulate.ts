import { defineCommand, flag, portOr, text, unless, whole } from '../../command.ts'
import { exitCodes, UsageError } from '../../errors.ts'
import { aborted } from '../../../domain/bounds.ts'

const defaultPort = 7334

/** `audition simulate`. */
export const command = defineCommand({
  description: [
    'Serves an MCP server that stands for another one of the index: the same tools, and answers that obey their output',
    'schemas. They come from real calls that were kept (--record, `audition serve --call --keep-calls`, probes of its',
    'tools), else from the model in AUDITION_LLM, else they are made of the schemas; `_meta` says which. What a session',
    'creates is there in its later calls. Nothing of the real server is started, unless --record and `audition allow` say so.',
  ].join(' '),
  arguments: [{ syntax: '<server>', description: 'the source of the index that has its tools' }],
  options: {
    replay: flag('--replay', 'answer only what was answered before; an unseen call fails and says so'),
    record: flag('--record', 'call the real tools, as far as you allow, and keep what they give'),
    model: unless('--no-model', 'ask no model: make unknown answers of the schemas'),
    fault: text('--fault <faults>', 'what goes wrong: latency=200ms,errors=0.1,empty=0.05,wrong-schema=0.05'),
    seed: whole('--seed <seed>', 'draws other faults (default: 1)', [0, 2 ** 31]),
    http: portOr(
      '--http [port]',
      `serve over HTTP on this machine (default port: ${defaultPort}; 0: any free one)`,
      defaultPort,
    ),
  },
  examples: [
    { line: 'audition simulate audition-calendar', does: 'for a host that starts it' },
    { line: 'audition simulate forge --replay', does: 'the same answers again, without a model' },
    { line: 'audition simulate forge --fault errors=0.1,latency=1s --http', does: 'a bad day' },
  ],
  async run({ words: [source = ''], flags }, context) {
    if (flags.replay && flags.record)
      throw new UsageError('--replay and --record exclude each other. Give one of them.')
    const audition = await context.audition()
    const simulated = await audition.simulatedServer(source, {
      mode: flags.replay ? 'replay' : flags.record ? 'record' : 'simulate',
      model: flags.model,
      ...(flags.fault === undefined ? {} : { faults: flags.fault }),
      ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    })
    const { createSimulatedServer } = await import('../../../server/simulated.ts')
    if (flags.http === undefined) {
      const { serveStdio } = await import('../../../server/serve-stdio.ts')
      await serveStdio(audition, { server: () => createSimulatedServer(simulated, simulated.session()) })
      return exitCodes.done
    }
    const { serveHttp } = await import('../../../server/serve-http.ts')
    // Requests over HTTP belong to no connection: all are of one session.
    const session = simulated.session()
    const serving = await serveHttp(audition, {
      port: flags.http,
      server: (cancelled) => createSimulatedServer(simulated, session, cancelled),
    })
    context.log(`Serving ${source}, simulated, at ${serving.url}. Ctrl-C stops it.`)
    await aborted(context.signal)
    await serving.close()
    return exitCodes.done
  },
})
