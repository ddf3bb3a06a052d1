import { expect, test } from 'vitest'
import { brokenEngines } from './all.ts'
import { findCatchingSeed } from './find.ts'
import { quickSeeds } from './quick-seeds.ts'

test.each(brokenEngines)('$name is noticed', async (engine) => {
  // One that no longer notices it is slow, not wrong: the search goes on from there. `npm run simulate -- --broken --write` finds better ones.
  const found = await findCatchingSeed(engine, { seedsMax: 200, fromSeed: quickSeeds.get(engine.name) })
  expect(engine.noticedBy, JSON.stringify(found)).toContain(found?.invariant)
})
