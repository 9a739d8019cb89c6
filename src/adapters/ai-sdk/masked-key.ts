import type { LanguageModelSettings } from './language-model.ts'

/** A message without the key, which a provider may have repeated in it. */
export const maskedKey = (message: string, { key }: LanguageModelSettings): string =>
  key === undefined || key === '' ? message : message.replaceAll(key, '***')
