import { expect, test } from 'vitest'
import { brokenEngines } from './all.ts'
import { findCatchingSeed } from './find.ts'
import { quickSeeds } from './quick-seeds.ts'

test.each(brokenEngines)('detects: $name', async (engine) => {
  // If the quick seed no longer detects it, the search continues and takes longer. `npm run simulate -- --broken --write` finds new seeds.
  const found = await findCatchingSeed(engine, { seedsMax: 400, fromSeed: quickSeeds.get(engine.name) })
  expect(engine.noticedBy, JSON.stringify(found)).toContain(found?.invariant)
})
