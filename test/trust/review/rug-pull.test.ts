import { describe, expect, test } from 'vitest'
import { changes } from '../../attacks/rug-pull/changes.ts'
import { faultOf, playChange } from '../../attacks/rug-pull/play.ts'
import { memoryStage } from './memory-stage.ts'

describe('a server that changes between two index runs', () => {
  test.each(changes(200))('$kind: $what', async (change) => {
    expect(faultOf(await playChange(change, memoryStage()))).toBe('')
  })
})
