import { describe } from 'vitest'
import { keepsTheEmbeddingModelContract } from '../contracts/embedding-model.ts'
import { hashedWordsModel } from '../fakes/hashed-words-model.ts'

describe('hashedWordsModel, the fake of these tests', () =>
  keepsTheEmbeddingModelContract(async () => hashedWordsModel()))
