import { maskSecrets } from '../../domain/text/secrets.ts'
import type { Check } from './check.ts'

/** Whether the setting names a language model; no word when none is configured. Nothing is asked of it. */
export const languageModel: Check = {
  name: 'language model',
  async run(context) {
    const spec = await (await context.audition()).languageModel()
    return spec === null ? [] : [{ state: 'ok', message: `${maskSecrets(spec)}, not asked` }]
  },
}
