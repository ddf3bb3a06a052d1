import { expect, test } from 'vitest'
import { brokenEngines } from './all.ts'
import { findCatchingSeed } from './find.ts'

test.each(brokenEngines)('$name is noticed', async (engine) => {
  const found = await findCatchingSeed(engine, { seedsMax: 200, fromSeed: engine.nearSeed })
  expect(engine.noticedBy, JSON.stringify(found)).toContain(found?.invariant)
})
