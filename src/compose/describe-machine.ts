import { checkedModel, configuredModels } from '../adapters/ai-sdk/models/language-model.ts'
import { describeContainment } from '../adapters/processes/sandbox/sandbox.ts'
import { bubblewrap } from '../adapters/processes/sandbox/bubblewrap.ts'
import type { Config } from '../config.ts'
import type { Audition } from './audition.ts'
import { languageModelOf } from './language-models.ts'
import { readGuards } from './open-guards.ts'
import { runtimeSettings } from './runtimes.ts'

/** What `doctor` asks of this machine and of the settings. */
export const describeMachine = (
  config: Config,
): Pick<Audition, 'languageModel' | 'runtimeSetting' | 'followedLinks' | 'containment'> => ({
  async languageModel() {
    const languageModel = await languageModelOf(config)
    if (languageModel === null) return null
    const [first, ...others] = configuredModels(languageModel)
    checkedModel(first!)
    return [first!, ...others].map(({ spec }) => spec).join(', ')
  },
  runtimeSetting: async (name) =>
    runtimeSettings.find((one) => one.name === name)?.read(config.environment) ?? null,
  followedLinks: async () => (await readGuards(config)).followLinks,
  async containment() {
    const { containment } = await readGuards(config)
    const { name: sandbox } = containment.sandbox
    const fault = await containment.sandbox.fault()
    const held = { sandbox, within: describeContainment(containment, ''), fault }
    if (sandbox !== 'none') return held
    const { PATH: path = '' } = config.environment
    const works = (await bubblewrap({ home: '/', hidden: [], path }).fault()) === null
    return works ? { ...held, available: 'bubblewrap' } : held
  },
})
