import { hosts } from './hosts.ts'
import { type FindRejections, noRejections } from './rejections.ts'

/** What the hosts that read a configuration were told elsewhere not to start of it. */
export const rejectionsOf: FindRejections = (config, user) => {
  if (/^https?:/i.test(config)) return noRejections
  const all = hosts.flatMap(({ rejections }) => rejections?.(config, user) ?? [])
  return {
    fileThatRejects: (server) =>
      all.map(({ fileThatRejects }) => fileThatRejects(server)).find((file) => file !== undefined),
    problems: all.flatMap(({ problems }) => problems),
  }
}
